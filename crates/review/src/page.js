"use strict";
const review = JSON.parse(document.getElementById("review").textContent);
const byId = (id) => document.getElementById(id);
const last = review.notes.length - 1;
let ply = review.ply;

function show(to) {
  ply = Math.max(0, Math.min(last, to));
  const pieces = byId("pieces");
  if (pieces) pieces.innerHTML = review.boards[ply].map((idx) => review.pieces[idx]).join("");
  byId("note").textContent = review.notes[ply] || ply + ". " + review.texts[0];
  byId("end").textContent = "";
  const curve = byId("curve");
  byId("cursor").style.left = (100 * ply) / curve.dataset.plies + "%";
  for (const row of document.querySelectorAll("tr[data-ply]")) {
    const shown = Number(row.dataset.ply) === ply;
    row.classList.toggle("shown", shown);
  }
  byId("first").disabled = byId("previous").disabled = ply === 0;
  byId("last").disabled = byId("next").disabled = ply === last;
  byId("mistake").disabled = !review.marked.some((at) => at > ply);
  byId("mistake-before").disabled = !review.marked.some((at) => at < ply);
  try {
    history.replaceState(null, "", "#" + ply);
  } catch (err) {
    // Some browsers refuse this for files.
  }
}

/** Shows the marked move after the one shown, or before it; if there is none, a line below the note. */
function marked(forward) {
  const found = forward ? review.marked.find((at) => at > ply) : review.marked.findLast((at) => at < ply);
  if (found !== undefined) show(found);
  else byId("end").textContent = review.texts[forward ? 1 : 2];
}

byId("first").onclick = () => show(0);
byId("previous").onclick = () => show(ply - 1);
byId("next").onclick = () => show(ply + 1);
byId("last").onclick = () => show(last);
byId("mistake-before").onclick = () => marked(false);
byId("mistake").onclick = () => marked(true);
byId("curve").onclick = (event) => {
  const box = byId("curve").getBoundingClientRect();
  show(Math.round(((event.clientX - box.left) / box.width) * byId("curve").dataset.plies));
};
document.addEventListener("click", (event) => {
  const to = event.target.closest("[data-ply]");
  if (to) show(Number(to.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = { ArrowLeft: () => show(ply - 1), ArrowRight: () => show(ply + 1), Home: () => show(0), End: () => show(last), n: () => marked(true), N: () => marked(false) };
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});
window.addEventListener("hashchange", () => show(wanted()));

function wanted() {
  const found = /^#(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : review.ply;
}

show(wanted());
