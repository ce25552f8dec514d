/** Coordinates on a board: cells, edges, and the places of expected moves. No drawing. */

import { mirroredEdge } from './mirror.js';

/** @import { LegalMove, Picture, Side, State } from '../types.js' */

/** Side of a cell in drawing units. */
export const CELL = 48;
/** Space around the cells, for labels. */
export const BORDER = 26;

/**
 * @typedef {object} Mark a move on the board
 * @property {string} move
 * @property {Side | null} side
 * @property {number | null} cell index of the cell
 * @property {number | null} edge index of the edge
 */

/** @param {Picture} picture */
export function sizeOf(picture) {
  return { width: picture.columns * CELL + 2 * BORDER, height: picture.rows * CELL + 2 * BORDER };
}

/**
 * The centre of a cell.
 * @param {Picture} picture
 * @param {number} cell
 */
export function cellCentre(picture, cell) {
  const row = Math.floor(cell / picture.columns);
  const column = cell % picture.columns;
  return { x: BORDER + (column + 0.5) * CELL, y: BORDER + (row + 0.5) * CELL };
}

/**
 * @param {Picture} picture
 * @param {number} edge
 */
export function edgeLine(picture, edge) {
  const across = (picture.rows + 1) * picture.columns;
  const horizontal = edge < across;
  const width = horizontal ? picture.columns : picture.columns + 1;
  const n = horizontal ? edge : edge - across;
  const x = BORDER + (n % width) * CELL;
  const y = BORDER + Math.floor(n / width) * CELL;
  return { x1: x, y1: y, x2: horizontal ? x + CELL : x, y2: horizontal ? y : y + CELL, horizontal };
}

/**
 * @param {Picture} picture
 * @param {number} edge
 */
export function edgeCentre(picture, edge) {
  const { x1, y1, x2, y2 } = edgeLine(picture, edge);
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}

/**
 * @param {Picture} picture
 * @param {{ cell: number | null, edge: number | null }} mark
 */
export function markCentre(picture, mark) {
  if (mark.edge !== null) return edgeCentre(picture, mark.edge);
  return mark.cell === null ? null : cellCentre(picture, mark.cell);
}

/**
 * The place of a legal move.
 * @param {Picture} picture
 * @param {LegalMove} legal
 * @param {Side | null} side
 * @returns {Mark}
 */
export function markOf(picture, legal, side) {
  const at = legal.at;
  /** @type {Mark} */
  const mark = { move: legal.move, side, cell: null, edge: null };
  if (at && 'edge' in at) mark.edge = at.edge;
  else if (at && 'cell' in at) mark.cell = at.cell[0] * picture.columns + at.cell[1];
  else if (at && legal.after.cells[0]) mark.cell = legal.after.cells[0][0] * picture.columns + legal.after.cells[0][1];
  return mark;
}

/**
 * The legal move below a point of the drawing.
 * @param {State} state
 * @param {number} x
 * @param {number} y
 * @returns {LegalMove | null}
 */
export function moveAt(state, x, y) {
  const picture = state.picture;
  if (!picture) return null;
  const column = Math.floor((x - BORDER) / CELL);
  const row = Math.floor((y - BORDER) / CELL);
  let nearest = null;
  let least = CELL * 0.6;
  for (const legal of state.legal) {
    const at = legal.at;
    if (at && 'edge' in at) {
      const centre = edgeCentre(picture, at.edge);
      const distance = Math.abs(centre.x - x) + Math.abs(centre.y - y);
      if (distance < least) [nearest, least] = [legal, distance];
    } else if (at && 'cell' in at && at.cell[0] === row && at.cell[1] === column) {
      return legal;
    } else if (at && 'column' in at && at.column === column && y > 0) {
      return legal;
    }
  }
  return nearest;
}

/** A finger means one edge if the next one is farther away by this much. */
const CLEAR = CELL / 6;

/**
 * The edges around a point, the nearest first, with their distances.
 * @param {Picture} picture
 * @param {number} x
 * @param {number} y
 */
function edgesNear(picture, x, y) {
  const beyond = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ at) => Math.max(from - at, 0, at - to);
  return (picture.edges ?? []).map(({ drawn }, edge) => {
    const { x1, y1, x2, y2 } = edgeLine(picture, edge);
    return { edge, drawn: Boolean(drawn), distance: beyond(x1, x2, x) + beyond(y1, y2, y) };
  }).sort((a, b) => a.distance - b.distance).filter(({ distance }) => distance < CELL * 0.6);
}

/**
 * The legal move below a finger. It is not sure near a dot and in the middle of a box, where several edges are about
 * equally near.
 * @param {State} state
 * @param {number} x
 * @param {number} y
 * @returns {{ legal: LegalMove | null, isSure: boolean }}
 */
export function touchAt(state, x, y) {
  const picture = state.picture;
  if (!picture?.edges) return { legal: moveAt(state, x, y), isSure: true };
  const near = edgesNear(picture, x, y);
  const least = near[0]?.distance ?? 0;
  const meant = near.filter(({ distance }) => distance - least < CLEAR);
  const chosen = meant.find(({ drawn }) => !drawn);
  const legal = state.legal.find(({ at }) => at && 'edge' in at && at.edge === chosen?.edge) ?? null;
  return { legal, isSure: meant.length === 1 && least < CELL / 3 };
}

/**
 * Why there is no move at a point, as a text with its parameters; `null` beside the board.
 * @param {State} state
 * @param {number} x
 * @param {number} y
 * @returns {{ text: 'board.drawn-edge' | 'board.full-column' | 'board.no-move', params: Record<string, string> } | null}
 */
export function noMoveAt(state, x, y) {
  const picture = state.picture;
  const [row, column] = [Math.floor((y - BORDER) / CELL), Math.floor((x - BORDER) / CELL)];
  if (!picture) return null;
  if (picture.edges) return edgesNear(picture, x, y)[0]?.drawn ? { text: 'board.drawn-edge', params: {} } : null;
  if (row < 0 || row >= picture.rows || column < 0 || column >= picture.columns) return null;
  const name = picture.column_labels[column] ?? '';
  if (state.legal.some(({ at }) => at && 'column' in at)) return { text: 'board.full-column', params: { column: name } };
  return { text: 'board.no-move', params: { move: name + (picture.row_labels[row] ?? '') } };
}

/**
 * The places of the moves of an expected line, computed without the rules: stones fall if the legal moves are
 * columns, cells are named by their labels, edges by rows and columns of dots.
 * @param {State} state
 * @param {string[]} line
 * @returns {Mark[]}
 */
export function marksOfLine(state, line) {
  const picture = state.picture;
  if (!picture || state.to_move === null) return [];
  const falls = state.legal.some((legal) => legal.at && 'column' in legal.at);
  const filled = new Set(picture.cells.flatMap((cell, i) => (cell.hole || cell.o !== undefined ? [i] : [])));
  const drawn = new Set((picture.edges ?? []).flatMap((edge, i) => (edge.drawn ? [i] : [])));
  /** @type {Side} */
  let side = state.to_move;
  return line.map((move) => {
    /** @type {Mark} */
    const mark = { move, side, cell: null, edge: null };
    let again = false;
    if (picture.edges) {
      mark.edge = edgeOf(picture, move);
      if (mark.edge !== null) {
        drawn.add(mark.edge);
        again = boxesBeside(picture, mark.edge).some((box) => edgesAround(picture, box).every((edge) => drawn.has(edge)));
      }
    } else {
      mark.cell = falls ? landing(picture, filled, move) : cellOf(picture, move);
      if (mark.cell !== null) filled.add(mark.cell);
    }
    if (!again) side = side === 0 ? 1 : 0;
    return mark;
  });
}

/**
 * The lowest free cell of a column.
 * @param {Picture} picture
 * @param {Set<number>} filled
 * @param {string} move
 */
function landing(picture, filled, move) {
  const column = picture.column_labels.indexOf(move);
  if (column < 0) return null;
  for (let row = picture.rows - 1; row >= 0; row--) {
    const cell = row * picture.columns + column;
    if (!filled.has(cell)) return cell;
  }
  return null;
}

/**
 * The cell with a name that consists of the labels of its column and its row.
 * @param {Picture} picture
 * @param {string} move
 */
export function cellOf(picture, move) {
  for (const [column, label] of picture.column_labels.entries()) {
    if (!label || !move.startsWith(label)) continue;
    const row = picture.row_labels.indexOf(move.slice(label.length));
    if (row >= 0) return row * picture.columns + column;
  }
  return null;
}

/**
 * The edge with a name such as `h2,3`.
 * @param {Picture} picture
 * @param {string} move
 */
export function edgeOf(picture, move) {
  const parts = /^([hv])(\d+),(\d+)$/.exec(move);
  if (!parts) return null;
  const [row, column] = [Number(parts[2]), Number(parts[3])];
  const across = (picture.rows + 1) * picture.columns;
  const edge = parts[1] === 'h' ? row * picture.columns + column : across + row * (picture.columns + 1) + column;
  return picture.mirrored ? mirroredEdge(picture, edge) : edge;
}

/**
 * The four edges of a box: above, below, left, right.
 * @param {Picture} picture
 * @param {number} box
 */
export function edgesAround(picture, box) {
  const row = Math.floor(box / picture.columns);
  const column = box % picture.columns;
  const above = row * picture.columns + column;
  const left = (picture.rows + 1) * picture.columns + row * (picture.columns + 1) + column;
  return [above, above + picture.columns, left, left + 1];
}

/**
 * The one or two boxes beside an edge.
 * @param {Picture} picture
 * @param {number} edge
 */
export function boxesBeside(picture, edge) {
  const { rows, columns } = picture;
  const across = (rows + 1) * columns;
  /** @type {number[]} */
  const boxes = [];
  if (edge < across) {
    const row = Math.floor(edge / columns);
    if (row > 0) boxes.push(edge - columns);
    if (row < rows) boxes.push(edge);
  } else {
    const row = Math.floor((edge - across) / (columns + 1));
    const column = (edge - across) % (columns + 1);
    if (column > 0) boxes.push(row * columns + column - 1);
    if (column < columns) boxes.push(row * columns + column);
  }
  return boxes;
}

/**
 * The boxes that can be taken one after another once `edge` is drawn, without those that the edge itself completes.
 * @param {Picture} picture
 * @param {number} edge
 */
export function boxesOpenedBy(picture, edge) {
  if (!picture.edges) return [];
  const drawn = new Set(picture.edges.flatMap((one, i) => (one.drawn ? [i] : [])));
  const open = (/** @type {number} */ box) => edgesAround(picture, box).filter((one) => !drawn.has(one));
  const before = new Set(picture.cells.flatMap((_, box) => (open(box).length <= 1 ? [box] : [])));
  drawn.add(edge);
  const closed = boxesBeside(picture, edge).filter((box) => open(box).length === 0);
  const queue = boxesBeside(picture, edge).filter((box) => open(box).length === 1);
  const opened = new Set();
  for (let box = queue.pop(); box !== undefined; box = queue.pop()) {
    const [last] = open(box);
    if (last === undefined || opened.has(box)) continue;
    opened.add(box);
    drawn.add(last);
    for (const next of boxesBeside(picture, last)) {
      if (open(next).length === 0) opened.add(next);
      else if (open(next).length === 1) queue.push(next);
    }
  }
  return [...opened].filter((box) => !closed.includes(box) && !before.has(box));
}
