/** Dialog in which the user sets up a position. */

import { fill, h, s, typed } from '../dom.js';
import { post } from '../api.js';
import { t } from '../i18n.js';
import { Tree } from '../tree.js';
import { writeGame } from '../spot.js';
import { drawPicture, styleOf, viewOf, watchUnit } from '../board/draw.js';
import { BORDER, CELL, cellOf, edgeCentre } from '../board/layout.js';
import { choices, openDialog, refusal } from './dialog.js';

/** @import { Picture, Side, State } from '../types.js' */
/** @import { Game } from '../game.js' */

/** @typedef {'0' | '1' | 'empty'} Tool */

export class EditDialog {
  /** @type {Tool} */
  #tool = '0';

  /**
   * @param {Game} game
   * @param {State} state
   * @param {[string, string]} sides
   * @param {(hash: string) => void} open
   */
  constructor(game, state, sides, open) {
    if (!state.picture) return;
    this.game = game;
    this.state = state;
    this.open = open;
    /** @type {Picture} */
    this.picture = structuredClone(state.picture);
    for (const cell of this.picture.cells) delete cell.last;
    for (const edge of this.picture.edges ?? []) delete edge.last;
    /** @type {'0' | '1' | ''} */
    this.toMove = '';
    this.refused = refusal();
    this.svg = s('svg', { class: `board editing pieces-${styleOf(state.game, this.picture)}`, viewBox: viewOf(this.picture, styleOf(state.game, this.picture)).box, 'aria-hidden': 'true', onclick: (/** @type {MouseEvent} */ event) => this.#click(event) });
    watchUnit(this.svg);
    this.cell = h('input', { type: 'text', autocomplete: 'off', 'aria-label': t('edit.cell'), placeholder: t('edit.cell') });
    /** @type {[Tool, string][]} */
    const tools = [['0', sides[0]], ['1', sides[1]], ['empty', t('edit.empty')]];
    const form = h('form', { class: 'form', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void this.#submit(); } },
      h('p', { class: 'field-hint' }, this.picture.edges ? t('edit.hint-edges') : t('edit.hint-cells')),
      choices(t('edit.tool'), tools, this.#tool, (tool) => { this.#tool = tool; }), h('div', { class: 'edit-board' }, this.svg),
      h('div', { class: 'by-name' }, this.cell, h('button', { type: 'button', onclick: () => this.#byName() }, t('edit.set'))),
      choices(t('edit.to-move'), [['', t('edit.automatic')], ['0', sides[0]], ['1', sides[1]]], '', (side) => { this.toMove = /** @type {'0' | '1' | ''} */ (side); }),
      this.refused.el,
      h('footer', { class: 'buttons' }, h('button', { type: 'button', class: 'quiet', onclick: () => this.#clear() }, t('edit.clear')),
        h('button', { type: 'submit', class: 'primary' }, t('edit.done'))));
    this.dialog = openDialog(t('edit.title'), [form]);
    this.#draw();
  }

  #draw() {
    if (this.picture && this.svg && this.state) fill(this.svg, drawPicture(this.picture, styleOf(this.state.game, this.picture)));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { picture, svg } = this;
    const matrix = svg?.getScreenCTM();
    if (!picture || !matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [row, column] = [Math.floor((y - BORDER) / CELL), Math.floor((x - BORDER) / CELL)];
    const inside = row >= 0 && column >= 0 && row < picture.rows && column < picture.columns;
    if (picture.edges) {
      const nearest = picture.edges.map((_, i) => ({ i, ...edgeCentre(picture, i) })).map(({ i, x: ex, y: ey }) => ({ i, d: Math.abs(ex - x) + Math.abs(ey - y) }))
        .reduce((a, b) => (b.d < a.d ? b : a));
      if (nearest.d < CELL * 0.36) this.#edge(nearest.i);
      else if (inside) this.#set(row * picture.columns + column);
    } else if (inside) {
      this.#set(row * picture.columns + column);
    }
  }

  /** @param {number} i */
  #edge(i) {
    const edge = this.picture?.edges?.[i];
    if (!edge) return;
    if (edge.drawn) delete edge.drawn;
    else edge.drawn = 1;
    this.#draw();
  }

  /** @param {number} i */
  #set(i) {
    const cell = this.picture?.cells[i];
    if (!cell || cell.hole) return;
    const side = this.#tool === 'empty' ? null : /** @type {Side} */ (Number(this.#tool));
    if (side === null || cell.o === side) delete cell.o;
    else cell.o = side;
    this.#draw();
  }

  /** Changes the cell or the edge of a name, for the keyboard: `d3`, `h0,1`. */
  #byName() {
    const { picture } = this;
    if (!picture || !this.cell) return;
    const name = typed(this.cell.value);
    const letters = { ...picture, column_labels: picture.column_labels.map((_, i) => String.fromCharCode(97 + i)) };
    const edge = /^([hv])(\d+),(\d+)$/.exec(name);
    if (edge && picture.edges) {
      const across = (picture.rows + 1) * picture.columns;
      const [row, column] = [Number(edge[2]), Number(edge[3])];
      this.#edge(edge[1] === 'h' ? row * picture.columns + column : across + row * (picture.columns + 1) + column);
    } else {
      const cell = cellOf(letters, name);
      if (cell !== null) this.#set(cell);
    }
    this.cell.select();
  }

  #clear() {
    for (const cell of this.picture?.cells ?? []) delete cell.o;
    for (const edge of this.picture?.edges ?? []) delete edge.drawn;
    this.#draw();
  }

  async #submit() {
    const { game, picture } = this;
    if (!game || !picture) return;
    try {
      const { position } = await post('api/edit', { game: game.spec, cells: cellsText(picture), to_move: this.toMove === '' ? null : Number(this.toMove) });
      const tree = new Tree();
      this.dialog?.close();
      this.open?.(writeGame({ game: game.spec, position, tree, cursor: tree.root, players: game.players, budget: game.budget }));
    } catch (err) {
      this.refused?.show(err);
    }
  }
}

/**
 * The board in the server's notation: rows from the top; on a board of edges, the edges and the number of boxes of
 * each side.
 * @param {Picture} picture
 */
export function cellsText(picture) {
  const letter = (/** @type {import('../types.js').Cell} */ cell) => (cell.hole ? '#' : cell.o === undefined ? '.' : cell.o === 0 ? 'X' : 'O');
  const rows = (/** @type {string[]} */ letters, /** @type {number} */ columns, /** @type {number} */ n) =>
    Array.from({ length: n }, (_, row) => letters.slice(row * columns, (row + 1) * columns).join(''));
  if (!picture.edges) return rows(picture.cells.map(letter), picture.columns, picture.rows).join('/');
  const bits = picture.edges.map((edge) => (edge.drawn ? '1' : '0'));
  const across = (picture.rows + 1) * picture.columns;
  const edges = [...rows(bits.slice(0, across), picture.columns, picture.rows + 1), ...rows(bits.slice(across), picture.columns + 1, picture.rows)].join('/');
  const points = [0, 1].map((side) => picture.cells.filter((cell) => cell.o === side).length);
  return `${edges} ${points[0]}-${points[1]}`;
}
