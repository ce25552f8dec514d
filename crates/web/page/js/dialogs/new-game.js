/** The dialog of a new game: board, holes, players, budget or clock. */

import { fill, h, typed } from '../dom.js';
import { post } from '../api.js';
import { gameOf, sidesOf } from '../games.js';
import { t } from '../i18n.js';
import { Tree } from '../tree.js';
import { writeGame } from '../spot.js';
import { USUAL_BUDGET } from '../opponent.js';
import { miniBoard } from '../board/mini.js';
import { choices, field, openDialog, refusal, typedOver } from './dialog.js';
import { playerPicker } from './player-picker.js';

/** @import { About, GameInfo, Side, State } from '../types.js' */

/** Range of board sizes that the page offers if the game has none. */
const SIZES = { rows: /** @type {[number, number]} */ ([2, 12]), columns: /** @type {[number, number]} */ ([2, 12]), step: 1, holes: false, square: false };

/**
 * The board of a game specification.
 * @typedef {object} BoardChoice
 * @property {string} name
 * @property {[number, number] | null} usual rows and columns that the specification leaves out
 * @property {number} rows
 * @property {number} columns
 * @property {Set<string>} holes `d3`: letter of the column, row from the bottom
 * @property {string[]} others options that the dialog does not show
 */

/** @typedef {{ input: HTMLInputElement, check: () => boolean }} SizeField `check`: shows what is wrong; whether nothing is */

/**
 * @param {GameInfo} info
 * @param {string} spec
 * @returns {BoardChoice}
 */
export function readBoard(info, spec) {
  const [rows, columns] = info.default_size ?? [8, 8];
  /** @type {BoardChoice} */
  const board = { name: info.name, usual: info.default_size, rows, columns, holes: new Set(), others: [] };
  for (const option of (spec.split(':')[1] ?? '').split(',').filter(Boolean)) {
    const size = /^(\d+)x(\d+)$/.exec(option);
    if (size) [board.rows, board.columns] = [Number(size[1]), Number(size[2])];
    else if (option.startsWith('hole=')) board.holes.add(option.slice(5));
    else board.others.push(option);
  }
  return board;
}

/** @param {BoardChoice} board */
export function writeBoard(board) {
  const { usual } = board;
  const options = [
    ...(usual?.[0] === board.rows && usual[1] === board.columns ? [] : [`${board.rows}x${board.columns}`]),
    ...[...board.holes].sort().map((hole) => `hole=${hole}`), ...board.others];
  return options.length > 0 ? `${board.name}:${options.join(',')}` : board.name;
}

/**
 * A number of rows or columns as it was typed: the number, or what is wrong with the text.
 * @param {string} text
 * @param {{ min: number, max: number, step: number }} range
 * @returns {{ value: number } | { problem: string }}
 */
export function readSize(text, { min, max, step }) {
  const value = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
  const range = rangeText({ min, max, step });
  if (text.trim() === '') return { problem: t('new.size-missing', { range }) };
  if (!(value >= min && value <= max && (value - min) % step === 0)) return { problem: t('new.size-wrong', { found: text.trim(), range }) };
  return { value };
}

/** @param {{ min: number, max: number, step: number }} range */
function rangeText({ min, max, step }) {
  return step === 1 ? t('new.range', { min, max }) : t('new.range-steps', { min, max, step });
}

/**
 * The choice without holes that lie outside its board.
 * @param {BoardChoice} board
 * @returns {BoardChoice}
 */
export function fitting(board) {
  const fits = (/** @type {string} */ hole) => hole.charCodeAt(0) - 97 < board.columns && Number(hole.slice(1)) <= board.rows;
  return { ...board, holes: new Set([...board.holes].filter(fits)) };
}

export class NewGameDialog {
  /** The fields of the size, by name. @type {Map<'rows' | 'columns', SizeField>} */
  #sizes = new Map();
  /** The number of previews that were requested. */
  #previews = 0;

  /**
   * @param {About} about
   * @param {{ game: string, players?: [string, string], budget?: string }} start
   * @param {(hash: string, edits: boolean) => void} open `edits`: whether the position is set up first
   */
  constructor(about, start, open) {
    this.about = about;
    this.open = open;
    /** @type {[string, string]} */
    this.players = start.players ?? ['', about.levels.length > 0 ? 'level-3' : 'greedy'];
    this.budget = start.budget || USUAL_BUDGET;
    this.info = gameOf(start.game) ?? about.games[0];
    if (!this.info) return;
    this.board = readBoard(this.info, start.game);
    this.refused = refusal();
    this.preview = h('div', { class: 'board-preview' });
    this.size = h('div', { class: 'size-row' });
    this.holes = h('p', { class: 'field-hint' }, t('new.holes'));
    this.sides = h('div', { class: 'side-row' });
    this.budgetInput = h('input', { type: 'text', value: this.budget, spellcheck: 'false', list: 'budgets', autocomplete: 'off' });
    const form = h('form', { class: 'form new-game', novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void this.#submit(false); } },
      choices(t('new.game'), about.games.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), this.info.name, (name) => this.#choose(name)),
      this.size, h('div', { class: 'new-columns' }, h('div', {}, this.preview, this.holes), h('div', {}, this.sides,
        h('button', { type: 'button', class: 'quiet', onclick: () => this.#swap() }, t('new.swap')),
        field(t('new.budget'), this.budgetInput, t('new.budget-hint')),
        h('datalist', { id: 'budgets' }, ['200ms', '1s', '5s', '5m/game+inc=3s', 'nodes=10000'].map((value) => h('option', { value }))))),
      this.refused.el,
      h('footer', { class: 'buttons' }, h('button', { type: 'button', class: 'quiet', onclick: () => void this.#submit(true) }, t('new.edit')), h('button', { type: 'submit', class: 'primary' }, t('new.start'))));
    this.dialog = openDialog(t('new.title'), [form], { wide: true });
    this.#render();
  }

  /** @param {string} name */
  #choose(name) {
    const info = gameOf(name);
    if (!info) return;
    this.info = info;
    this.board = readBoard(info, info.spec);
    this.players = this.#chosen();
    this.#render();
  }

  #render() {
    this.#renderSize();
    this.#renderSides();
    void this.#renderBoard();
  }

  #renderSize() {
    const { board, info } = this;
    if (!board || !info || !this.size) return;
    const sizes = info.sizes ?? SIZES;
    if (this.holes) this.holes.hidden = !sizes.holes;
    fill(this.size, this.#sizeField('rows', sizes, board), this.#sizeField('columns', sizes, board));
  }

  /**
   * A field that stays while it is typed in: the board follows it, and a number that does not fit is named below it.
   * @param {'rows' | 'columns'} name
   * @param {typeof SIZES} sizes
   * @param {BoardChoice} board
   */
  #sizeField(name, sizes, board) {
    const [min, max] = sizes[name];
    const range = { min, max, step: sizes.step };
    const input = typedOver(h('input', { type: 'text', inputmode: 'numeric', autocomplete: 'off', maxlength: 4, value: board[name], 'aria-describedby': `size-${name}` }));
    const hint = h('span', { class: 'field-hint', id: `size-${name}`, role: 'status' }, rangeText(range));
    const check = () => {
      const read = readSize(typed(input.value), range);
      const problem = 'problem' in read ? read.problem : '';
      hint.textContent = problem || rangeText(range);
      hint.classList.toggle('wrong', problem !== '');
      input.setAttribute('aria-invalid', String(problem !== ''));
      if ('value' in read) board[name] = read.value;
      return problem === '';
    };
    const changed = () => {
      const other = this.#sizes.get(name === 'rows' ? 'columns' : 'rows');
      if (sizes.square && other) {
        other.input.value = input.value;
        other.check();
      }
      const fits = check();
      this.preview?.classList.toggle('stale', !fits);
      if (fits) void this.#renderBoard();
    };
    input.addEventListener('input', changed);
    this.#sizes.set(name, { input, check });
    const label = h('label', { class: 'field' }, h('span', { class: 'field-label' }, t(name === 'rows' ? 'new.rows' : 'new.columns')), input);
    return h('div', { class: 'size-field' }, label, hint);
  }

  /** Whether the size fits; the first field that is wrong gets the focus. */
  #checkSize() {
    const wrong = [...this.#sizes.values()].filter((one) => !one.check());
    wrong[0]?.input.focus();
    return wrong.length === 0;
  }

  /** The players chosen so far. @returns {[string, string]} */
  #chosen() {
    return [this.pickers?.[0]?.value ?? '', this.pickers?.[1]?.value ?? ''];
  }

  #renderSides() {
    const { info, sides } = this;
    if (!info || !sides) return;
    const spec = this.board ? writeBoard(this.board) : info.spec;
    this.pickers = [0, 1].map((side) => playerPicker(this.about, spec, { kind: 'side', chosen: this.players[side] ?? '', label: t('new.side', { side: sidesOf(spec)[/** @type {Side} */ (side)], n: side + 1 }) }));
    fill(sides, this.pickers.map((picker) => picker.el));
  }

  #swap() {
    if (!this.pickers) return;
    const [first, second] = this.#chosen();
    this.players = [second, first];
    this.#renderSides();
  }

  /** The board of the choice; in games with holes a click on a cell adds or removes one. */
  async #renderBoard() {
    const { board, info, preview } = this;
    if (!board || !info || !preview) return;
    const request = ++this.#previews;
    const show = (/** @type {Element | null} */ picture, /** @type {unknown} */ err) => {
      // A later preview may have been shown already.
      if (request !== this.#previews) return;
      if (picture) fill(preview, picture);
      this.refused?.show(err);
    };
    if (info.sizes?.holes) return show(this.#holeGrid(fitting(board), board.holes), null);
    try {
      /** @type {State} */
      const state = await post('api/state', { game: writeBoard(board), position: null, moves: [] });
      show(miniBoard(state), null);
    } catch (err) {
      show(null, err);
    }
  }

  /**
   * @param {BoardChoice} board
   * @param {Set<string>} holes the holes to change
   */
  #holeGrid(board, holes) {
    const cells = [];
    for (let row = board.rows; row >= 1; row--) {
      for (let column = 0; column < board.columns; column++) {
        const name = `${String.fromCharCode(97 + column)}${row}`;
        const cell = h('button', { type: 'button', class: 'hole-cell', 'aria-pressed': holes.has(name), 'aria-label': t('new.hole', { cell: name }) });
        cell.addEventListener('click', () => {
          if (!holes.delete(name)) holes.add(name);
          cell.setAttribute('aria-pressed', String(holes.has(name)));
        });
        cells.push(cell);
      }
    }
    return h('div', { class: 'hole-grid', style: `--columns:${board.columns}`, role: 'group', 'aria-label': t('new.holes') }, cells);
  }

  /** @param {boolean} edits */
  async #submit(edits) {
    const { board } = this;
    if (!board || !this.pickers || !this.#checkSize()) return;
    const game = writeBoard(fitting(board));
    const tree = new Tree();
    try {
      await post('api/state', { game, position: null, moves: [] });
      const budget = typed(this.budgetInput?.value ?? '');
      this.dialog?.close();
      this.open(writeGame({ game, position: null, tree, cursor: tree.root, players: this.#chosen(), budget: budget === USUAL_BUDGET ? '' : budget }), edits);
    } catch (err) {
      this.refused?.show(err);
      this.refused?.el.scrollIntoView({ block: 'nearest' });
    }
  }
}

