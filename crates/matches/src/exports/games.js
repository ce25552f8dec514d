"use strict";
const { games, texts } = JSON.parse(document.getElementById("games").textContent);
const byId = (id) => document.getElementById(id);
let shown = null;
let ply = 0;

/** The letters of the cells and edges after `to` plies, and the places that the last ply changed. */
function position(game, to) {
  const letters = game.start.split("");
  let changed = [];
  for (let i = 0; i < to; i++) {
    changed = [];
    for (const [, place, letter] of game.plies[i].matchAll(/(\d+)([A-Z])/g)) {
      letters[place] = letter;
      changed.push(Number(place));
    }
  }
  return { letters, changed };
}

function disc(x, y, letter, last) {
  const ring = last ? ' class="changed"' : "";
  if (letter === "X") return `<g${ring}><circle class="x" cx="${x}" cy="${y}" r="15"/></g>`;
  return `<g${ring}><circle class="o" cx="${x}" cy="${y}" r="12.5"/></g>`;
}

function draw(game, to) {
  const { letters, changed } = position(game, to);
  const at = (i) => 20 + 40 * i;
  const out = [];
  for (let row = 0; row < game.rows; row++) {
    for (let column = 0; column < game.columns; column++) {
      const place = row * game.columns + column;
      const [x, y] = [at(column), at(row)];
      const letter = letters[place];
      if (!game.edges) out.push(`<rect class="cell${letter === "H" ? " hole" : ""}" x="${x - 19}" y="${y - 19}" width="38" height="38" rx="4"/>`);
      if (letter === "X" || letter === "O") out.push(disc(x, y, letter, changed.includes(place)));
    }
  }
  if (game.edges) {
    let place = game.rows * game.columns;
    const line = (x1, y1, x2, y2) => {
      const kind = letters[place] === "D" ? (changed.includes(place) ? "drawn changed" : "drawn") : "open";
      out.push(`<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`);
      place++;
    };
    for (let row = 0; row <= game.rows; row++) for (let column = 0; column < game.columns; column++) line(40 * column, 40 * row, 40 * column + 40, 40 * row);
    for (let row = 0; row < game.rows; row++) for (let column = 0; column <= game.columns; column++) line(40 * column, 40 * row, 40 * column, 40 * row + 40);
  }
  const [width, height] = [40 * game.columns, 40 * game.rows];
  return `<svg class="replay" viewBox="-4 -4 ${width + 8} ${height + 8}" role="img" aria-label="${texts.board}">${out.join("")}</svg>`;
}

function step(to) {
  if (!shown) return;
  ply = Math.max(0, Math.min(shown.plies.length, to));
  byId("board").innerHTML = draw(shown, ply);
  const [at, about] = shown.drop ?? [];
  byId("note").textContent = ply === 0 ? texts.start : `${ply}. ${shown.moves[ply - 1]}${ply === at ? " " + about : ""}`;
  byId("first").disabled = byId("previous").disabled = ply === 0;
  byId("last").disabled = byId("next").disabled = ply === shown.plies.length;
}

function open(number, to = Infinity) {
  shown = games[number];
  byId("stage").hidden = !shown;
  if (!shown) return;
  byId("title").textContent = texts.game.replace("-", shown.name);
  step(to);
  byId("stage").scrollIntoView({ block: "nearest" });
}

byId("first").onclick = () => step(0);
byId("previous").onclick = () => step(ply - 1);
byId("next").onclick = () => step(ply + 1);
byId("last").onclick = () => step(Infinity);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-game]");
  if (button) open(Number(button.dataset.game), Number(button.dataset.ply ?? Infinity));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity };
  if (!shown || !(event.key in keys)) return;
  event.preventDefault();
  step(keys[event.key]);
});
/** #g12.1 opens a game, #g12.1:23 at that move. */
const [hash, at] = location.hash.split(":");
const wanted = games.findIndex((game) => game && "#g" + game.name === hash);
if (wanted >= 0) open(wanted, Number(at ?? Infinity) || 0);
