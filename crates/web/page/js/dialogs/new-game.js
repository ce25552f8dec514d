/** The dialog of a new game: board, holes, players, budget or clock. */

import { fill, h } from '../dom.js';
import { post } from '../api.js';
import { gameOf, sidesOf } from '../games.js';
import { t } from '../i18n.js';
import { Tree } from '../tree.js';
import { writeGame } from '../spot.js';
import { USUAL_BUDGET } from '../opponent.js';
import { miniBoard } from '../board/mini.js';
import { choices, field, openDialog, refusal } from './dialog.js';
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

export class NewGameDialog {
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
    this.sides = h('div', { class: 'side-row' });
    this.budgetInput = h('input', { type: 'text', value: this.budget, spellcheck: 'false', list: 'budgets', autocomplete: 'off' });
    const form = h('form', { class: 'form new-game', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void this.#submit(false); } },
      choices(t('new.game'), about.games.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), this.info.name, (name) => this.#choose(name)),
      h('div', { class: 'new-columns' }, h('div', {}, this.preview, this.size), h('div', {}, this.sides,
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
    const stepper = (/** @type {'rows' | 'columns'} */ name) => {
      const [min, max] = sizes[name];
      const input = h('input', { type: 'number', min, max, step: sizes.step, value: board[name], inputmode: 'numeric' });
      input.addEventListener('change', () => {
        const value = Math.max(min, Math.min(max, Math.round((Number(input.value) - min) / sizes.step) * sizes.step + min));
        board[name] = value;
        if (sizes.square) board.rows = board.columns = value;
        board.holes.clear();
        this.#renderSize();
        void this.#renderBoard();
      });
      return field(t(name === 'rows' ? 'new.rows' : 'new.columns'), input);
    };
    const hint = sizes.holes ? h('p', { class: 'field-hint' }, t('new.holes')) : null;
    fill(this.size, stepper('rows'), stepper('columns'), hint);
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
    this.players = [this.pickers[1]?.value ?? '', this.pickers[0]?.value ?? ''];
    this.#renderSides();
  }

  /** The board of the choice; in games with holes a click on a cell adds or removes one. */
  async #renderBoard() {
    const { board, info, preview } = this;
    if (!board || !info || !preview) return;
    if (info.sizes?.holes) {
      fill(preview, this.#holeGrid(board));
      return;
    }
    try {
      /** @type {State} */
      const state = await post('api/state', { game: writeBoard(board), position: null, moves: [] });
      fill(preview, miniBoard(state));
      this.refused?.show(null);
    } catch (err) {
      this.refused?.show(err);
    }
  }

  /** @param {BoardChoice} board */
  #holeGrid(board) {
    const cells = [];
    for (let row = board.rows; row >= 1; row--) {
      for (let column = 0; column < board.columns; column++) {
        const name = `${String.fromCharCode(97 + column)}${row}`;
        const cell = h('button', { type: 'button', class: 'hole-cell', 'aria-pressed': board.holes.has(name), 'aria-label': t('new.hole', { cell: name }) });
        cell.addEventListener('click', () => {
          if (!board.holes.delete(name)) board.holes.add(name);
          cell.setAttribute('aria-pressed', String(board.holes.has(name)));
        });
        cells.push(cell);
      }
    }
    return h('div', { class: 'hole-grid', style: `--columns:${board.columns}`, role: 'group', 'aria-label': t('new.holes') }, cells);
  }

  /** @param {boolean} edits */
  async #submit(edits) {
    const { board } = this;
    if (!board || !this.pickers) return;
    const game = writeBoard(board);
    const tree = new Tree();
    try {
      await post('api/state', { game, position: null, moves: [] });
      const budget = this.budgetInput?.value.trim() ?? '';
      this.dialog?.close();
      this.open(writeGame({ game, position: null, tree, cursor: tree.root, players: [this.pickers[0]?.value ?? '', this.pickers[1]?.value ?? ''], budget: budget === USUAL_BUDGET ? '' : budget }), edits);
    } catch (err) {
      this.refused?.show(err);
    }
  }
}

