"use strict";
const review = JSON.parse(document.getElementById("review").textContent);
const byId = (id) => document.getElementById(id);
const last = review.notes.length - 1;
let ply = review.ply;

function show(to) {
  ply = Math.max(0, Math.min(last, to));
  const pieces = byId("pieces");
  if (pieces) pieces.innerHTML = review.boards[ply].map((idx) => review.pieces[idx]).join("");
  byId("note").textContent = review.notes[ply] || ply + ". (not reviewed)";
  const curve = byId("curve");
  byId("cursor").style.left = (100 * ply) / curve.dataset.plies + "%";
  for (const row of document.querySelectorAll("tr[data-ply]")) {
    const shown = Number(row.dataset.ply) === ply;
    row.classList.toggle("shown", shown);
  }
  byId("first").disabled = byId("previous").disabled = ply === 0;
  byId("last").disabled = byId("next").disabled = ply === last;
  byId("mistake").disabled = review.marked.length === 0;
  try {
    history.replaceState(null, "", "#" + ply);
  } catch (err) {
    // Some browsers refuse this for files.
  }
}

/** The marked move after the one shown, or before it; around the ends. */
function marked(forward) {
  const all = review.marked;
  if (all.length === 0) return;
  const found = forward ? all.find((at) => at > ply) : all.findLast((at) => at < ply);
  show(found ?? (forward ? all[0] : all[all.length - 1]));
}

byId("first").onclick = () => show(0);
byId("previous").onclick = () => show(ply - 1);
byId("next").onclick = () => show(ply + 1);
byId("last").onclick = () => show(last);
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
