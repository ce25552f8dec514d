/** The drawing of a picture: one style for each kind of board. Colours are classes of board.css. */

import { s } from '../dom.js';
import { gameOf } from '../games.js';
import { BORDER, CELL, cellCentre, edgeLine, markCentre, sizeOf } from './layout.js';

/** @import { GameInfo, LegalMove, Picture, Side } from '../types.js' */
/** @import { Mark } from './layout.js' */

/** @typedef {GameInfo['style']} BoardStyle */

/** Minimum size of a cell with a number, in CSS pixels. */
const LEAST_CELL = 24;

/**
 * The style of a game's board; plain stones for an unknown game.
 * @param {string} game
 * @param {Picture} picture
 * @returns {BoardStyle}
 */
export function styleOf(game, picture) {
  return picture.edges ? 'boxes' : gameOf(game)?.style ?? 'stones';
}

/** Patterns that drawings refer to; included once in the document. */
export function patterns() {
  return s('svg', { width: 0, height: 0, class: 'patterns', 'aria-hidden': 'true' },
    s('defs', {},
      pattern('hatch', 8, s('rect', { width: 8, height: 8, class: 'hatch-ground' }), s('rect', { width: 3, height: 8, class: 'hatch-line' })),
      pattern('chain-long', 9, s('rect', { width: 9, height: 9, class: 'chain-ground' }), s('rect', { width: 4, height: 9, class: 'chain-line' })),
      pattern('chain-short', 10, s('rect', { width: 10, height: 10, class: 'chain-ground' }), s('circle', { cx: 5, cy: 5, r: 2.5, class: 'chain-line' })),
    ));
}

/**
 * @param {string} id
 * @param {number} size
 * @param {...SVGElement} parts
 */
function pattern(id, size, ...parts) {
  return s('pattern', { id, width: size, height: size, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, parts);
}

/**
 * The view box of a board with its labels; long boards need more room for the row numbers.
 * @param {Picture} picture
 * @param {BoardStyle} style
 */
export function viewOf(picture, style) {
  const { width, height } = sizeOf(picture);
  const left = (style === 'boxes' ? 6 : 0) + (picture.rows >= 10 ? 20 : 0);
  const below = style === 'boxes' ? 12 : Math.max(0, picture.columns - 8) + (hasLetters(picture) ? 14 + Math.max(0, picture.columns - 8) : 0);
  return { box: `${-left} 0 ${width + left} ${height + below}`, ratio: (width + left) / (height + below) };
}

/**
 * Updates `--unit`, the units of the drawing per pixel, so that its text has the same size on every screen; a board
 * with cells that are too small for numbers is `tight`.
 * @param {SVGSVGElement} svg
 */
export function watchUnit(svg) {
  const measure = () => {
    const width = svg.getBoundingClientRect().width;
    if (width <= 0 || !svg.viewBox.baseVal) return;
    const unit = svg.viewBox.baseVal.width / width;
    svg.style.setProperty('--unit', unit.toFixed(4));
    svg.classList.toggle('tight', CELL / unit < LEAST_CELL);
  };
  new ResizeObserver(measure).observe(svg);
  new MutationObserver(measure).observe(svg, { attributeFilter: ['viewBox'] });
}

/**
 * The board with its stones, as a group.
 * @param {Picture} picture
 * @param {BoardStyle} style
 * @param {{ fallen?: boolean, labels?: boolean, lastSide?: Side }} [options] `fallen`: the last stone falls into its
 *   place; `lastSide`: the side that made the last move
 */
export function drawPicture(picture, style, options = {}) {
  const group = s('g', { class: `board-${style}` });
  const pad = style === 'boxes' ? 15 : 5;
  const frame = { x: BORDER - pad, y: BORDER - pad, width: picture.columns * CELL + 2 * pad, height: picture.rows * CELL + 2 * pad, rx: 9 };
  group.append(s('rect', { class: 'frame', ...frame }));
  picture.cells.forEach((cell, i) => {
    const { x, y } = cellCentre(picture, i);
    const square = { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
    if (style !== 'boxes') group.append(...emptyCell(style, square, x, y, Boolean(cell.hole)));
    if (cell.o === undefined) return;
    if (style === 'boxes') group.append(box(square, x, y, cell.o));
    else group.append(stone(x, y, cell.o, { last: Boolean(cell.last), win: Boolean(cell.win), fall: options.fallen && cell.last ? y : 0 }));
  });
  if (picture.edges) group.append(...edges(picture, options.lastSide));
  if (style === 'discs') group.append(...guides(picture));
  if (options.labels !== false) group.append(...labels(picture, style));
  return group;
}

/**
 * @param {BoardStyle} style
 * @param {Record<string, number>} square
 * @param {number} x
 * @param {number} y
 * @param {boolean} hole
 */
function emptyCell(style, square, x, y, hole) {
  if (style === 'drop') {
    if (!hole) return [s('circle', { class: 'slot', cx: x, cy: y, r: 19 })];
    return [s('rect', { class: 'hole', x: x - 19, y: y - 19, width: 38, height: 38, rx: 6 }), cross(x, y)];
  }
  return [s('rect', { class: hole ? 'hole' : 'square', ...square }), ...(hole ? [cross(x, y)] : [])];
}

/**
 * @param {number} x
 * @param {number} y
 */
function cross(x, y) {
  return s('path', { class: 'hole-cross', d: `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16` });
}

/**
 * A stone: filled for the first side, with a ring for the second.
 * @param {number} x
 * @param {number} y
 * @param {Side} side
 * @param {{ last?: boolean, win?: boolean, ghost?: boolean, fall?: number }} [marks]
 */
export function stone(x, y, side, marks = {}) {
  const classes = ['stone', `side-${side}`, marks.ghost && 'ghost', marks.win && 'win', marks.fall && 'falls'].filter(Boolean);
  const group = s('g', { class: classes.join(' '), transform: `translate(${x} ${y})` });
  const body = s('g', { class: 'body' },
    s('circle', { class: 'disc', r: 18.5 }),
    s('circle', { class: 'ring', r: 11 }));
  if (marks.fall) body.setAttribute('style', `--from:${-marks.fall}px`);
  if (marks.last) body.append(s('circle', { class: 'last', r: 5 }));
  if (marks.win) body.append(s('circle', { class: 'win-ring', r: 20.5 }));
  group.append(body);
  return group;
}

/**
 * @param {Record<string, number>} square
 * @param {number} x
 * @param {number} y
 * @param {Side} side
 * @param {boolean} [ghost]
 */
export function box(square, x, y, side, ghost = false) {
  const sign = side === 0
    ? s('path', { class: 'box-sign', d: `M${x - 8} ${y - 8}l16 16M${x + 8} ${y - 8}l-16 16` })
    : s('circle', { class: 'box-sign', cx: x, cy: y, r: 9 });
  return s('g', { class: `box side-${side}${ghost ? ' ghost' : ''}` }, s('rect', { class: 'box-fill', ...square }), sign);
}

/**
 * @param {Picture} picture
 * @param {Side} [lastSide]
 */
function edges(picture, lastSide) {
  const parts = [];
  for (const [i, edge] of (picture.edges ?? []).entries()) {
    const { x1, y1, x2, y2 } = edgeLine(picture, i);
    parts.push(s('line', { class: `edge${edge.drawn ? ' drawn' : ''}${edge.last && lastSide !== undefined ? ` last side-${lastSide}` : ''}`, x1, y1, x2, y2 }));
  }
  for (let row = 0; row <= picture.rows; row++) {
    for (let column = 0; column <= picture.columns; column++) {
      parts.push(s('circle', { class: 'dot', cx: BORDER + column * CELL, cy: BORDER + row * CELL, r: 4.5 }));
    }
  }
  return parts;
}

/**
 * The four small points of a board of discs.
 * @param {Picture} picture
 */
function guides(picture) {
  if (picture.columns < 6) return [];
  const far = { x: picture.columns - 2, y: picture.rows - 2 };
  const corners = [[2, 2], [far.x, 2], [2, far.y], [far.x, far.y]];
  return corners.map(([x = 0, y = 0]) => s('circle', { class: 'guide', cx: BORDER + x * CELL, cy: BORDER + y * CELL, r: 3.5 }));
}

/**
 * Whether letters stand below the numbers of the columns, because cells are named by them: `c1`.
 * @param {Picture} picture
 */
function hasLetters(picture) {
  return !picture.edges && picture.columns <= 26 && picture.column_labels.some(Boolean) && picture.column_labels.every((label) => /^\d*$/.test(label));
}

/** @param {Picture} picture */
function letters(picture) {
  const names = Array.from({ length: picture.columns }, (_, i) => String.fromCharCode(97 + i));
  return picture.mirrored ? names.reverse() : names;
}

/**
 * @param {Picture} picture
 * @param {BoardStyle} style
 */
function labels(picture, style) {
  const dots = style === 'boxes';
  const bottom = BORDER + picture.rows * CELL + (dots ? 22 : 15);
  const shift = dots ? 0 : CELL / 2;
  const names = (/** @type {string[]} */ labels, /** @type {number} */ n) => (dots ? Array.from({ length: n + 1 }, (_, i) => String(i)) : labels);
  const across = dots && picture.mirrored ? names([], picture.columns).reverse() : names(picture.column_labels, picture.columns);
  const columns = across.map((label, i) => s('text', { class: 'label', x: BORDER + i * CELL + shift, y: bottom }, label));
  const rows = names(picture.row_labels, picture.rows).map((label, i) => s('text', { class: 'label row', x: dots ? 8 : 17, y: BORDER + i * CELL + shift }, label));
  const below = hasLetters(picture) ? letters(picture).map((letter, i) => s('text', { class: 'label', x: BORDER + i * CELL + shift, y: bottom, dy: '1.15em' }, letter)) : [];
  return [...columns, ...below, ...rows];
}

/**
 * A numbered ghost of an expected move.
 * @param {Picture} picture
 * @param {BoardStyle} style
 * @param {Mark} mark
 * @param {number} number
 */
export function ghost(picture, style, mark, number) {
  const centre = markCentre(picture, mark);
  if (!centre || mark.side === null) return null;
  const text = s('text', { class: 'ghost-number', x: centre.x, y: centre.y + 0.5 }, String(number));
  if (style !== 'boxes') return s('g', { class: `ghost-move side-${mark.side}` }, stone(centre.x, centre.y, mark.side, { ghost: true }), text);
  const { x1, y1, x2, y2 } = edgeLine(picture, mark.edge ?? 0);
  return s('g', { class: `ghost-move side-${mark.side}` },
    s('line', { class: 'ghost-edge', x1, y1, x2, y2 }), s('circle', { class: 'ghost-plate', cx: centre.x, cy: centre.y, r: 9 }), text);
}

/**
 * A proposed move without a number: what stands on the board there stays readable.
 * @param {Picture} picture
 * @param {BoardStyle} style
 * @param {Mark} mark
 */
export function hint(picture, style, mark) {
  const centre = markCentre(picture, mark);
  if (!centre || mark.side === null) return null;
  const classes = { class: `ghost-move side-${mark.side}` };
  if (style !== 'boxes') return s('g', classes, stone(centre.x, centre.y, mark.side, { ghost: true }), s('circle', { class: 'hint-ring', cx: centre.x, cy: centre.y, r: 21.5 }));
  const { x1, y1, x2, y2 } = edgeLine(picture, mark.edge ?? 0);
  return s('g', classes, s('line', { class: 'hint-ring', x1, y1, x2, y2 }), s('line', { class: 'ghost-edge', x1, y1, x2, y2 }));
}

/**
 * The effect of a move: its stone, discs that flip, boxes that it completes.
 * @param {Picture} picture
 * @param {BoardStyle} style
 * @param {LegalMove} legal
 * @param {Side} side
 */
export function preview(picture, style, legal, side) {
  const group = s('g', { class: 'preview' });
  for (const [row, column, owner] of legal.after.cells) {
    const { x, y } = cellCentre(picture, row * picture.columns + column);
    const isNew = picture.cells[row * picture.columns + column]?.o === undefined;
    if (style === 'boxes') group.append(box({ x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL }, x, y, owner, true));
    else if (isNew) group.append(stone(x, y, owner, { ghost: true }));
    else group.append(s('circle', { class: `flip side-${owner}`, cx: x, cy: y, r: 9 }));
  }
  if (legal.at && 'edge' in legal.at) {
    const { x1, y1, x2, y2 } = edgeLine(picture, legal.at.edge);
    group.append(s('line', { class: `ghost-edge side-${side}`, x1, y1, x2, y2 }));
  }
  return group;
}

/**
 * A ring around a cell, or an arrow from one cell to another.
 * @param {Picture} picture
 * @param {number} from
 * @param {number} to
 */
export function readerMark(picture, from, to) {
  const [a, b] = [cellCentre(picture, from), cellCentre(picture, to)];
  if (from === to) return s('circle', { class: 'reader-mark', cx: a.x, cy: a.y, r: 20 });
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const wing = (/** @type {1 | -1} */ turn) => `${b.x - 12 * dx + turn * 7 * dy} ${b.y - 12 * dy - turn * 7 * dx}`;
  return s('path', { class: 'reader-mark', d: `M${a.x} ${a.y}L${b.x} ${b.y}M${wing(1)}L${b.x} ${b.y}L${wing(-1)}` });
}
