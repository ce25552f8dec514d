/** The moves of the game in numbered pairs, with the points after them, and its variations. */

import { fill, h } from '../dom.js';
import { t } from '../i18n.js';
import { isMain, walk } from '../tree.js';
import { MARKS } from '../words.js';
import { note } from '../announce.js';
import { chip } from '../board/mini.js';
import { rowsOf } from './move-rows.js';

/** @import { Side } from '../types.js' */
/** @import { Game } from '../game.js' */
/** @import { GameNode } from '../tree.js' */
/** @import { Row } from './move-rows.js' */

export class MovesPanel {
  /** @type {Map<number, HTMLButtonElement>} */
  #buttons = new Map();

  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.list = h('div', { class: 'move-list', role: 'group', 'aria-label': t('moves.title') });
    this.opening = h('p', { class: 'opening', hidden: true });
    this.promote = h('button', { type: 'button', class: 'quiet', onclick: () => this.#promote() }, t('moves.promote'));
    this.remove = h('button', { type: 'button', class: 'quiet danger', onclick: () => this.#remove() }, t('moves.remove'));
    this.tools = h('footer', { class: 'card-tools' }, this.promote, this.remove);
    this.el = h('section', { class: 'card moves', 'aria-label': t('moves.title') }, h('h2', {}, t('moves.title')), this.opening, this.list, this.tools);
    game.on('tree', () => this.render());
    game.on('review', () => this.render());
    game.on('state', () => this.render());
    game.on('moved', () => this.#select());
    this.render();
  }

  render() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.getAttribute('data-node') : null;
    this.#buttons.clear();
    const { root } = this.game.tree;
    if (root.children.length === 0) fill(this.list, h('p', { class: 'empty' }, t('moves.empty')));
    else fill(this.list, rowsOf(root, { sideOf: (node) => this.game.sideOf(node) }).flatMap((row) => this.#row(row)));
    if (focused) this.#buttons.get(Number(focused))?.focus();
    this.#select();
  }

  /**
   * A row with the variations below it.
   * @param {Row} row
   * @returns {HTMLElement[]}
   */
  #row({ number, moves, continues, others }) {
    const cells = moves.map((nodes, side) => h('div', { class: 'move-cell' },
      nodes.length > 0 ? nodes.map((node) => this.#move(node, /** @type {Side} */ (side)))
        : side === 0 && (continues || moves[1].length > 0) ? h('span', { class: 'move-gap', 'aria-hidden': 'true' }, '\u2026') : null));
    return [h('div', { class: 'move-row' }, h('span', { class: 'move-number' }, `${number}.`), cells), ...others.map((other) => this.#variation(other, number))];
  }

  /**
   * A variation: its moves one after another, and those within it in parentheses.
   * @param {GameNode} first
   * @param {number} number
   * @returns {HTMLElement}
   */
  #variation(first, number) {
    const sideOf = (/** @type {GameNode} */ node) => this.game.sideOf(node);
    const start = { ...first, id: -1, children: [first] };
    const rows = rowsOf(start, { sideOf, number });
    return h('div', { class: 'variation' }, rows.flatMap((row) => [
      h('span', { class: 'move-number' }, `${row.number}${row.moves[0].length === 0 ? '\u2026' : '.'}`),
      ...row.moves.flatMap((nodes, side) => nodes.map((node) => this.#move(node, /** @type {Side} */ (side)))),
      ...row.others.map((other) => this.#variation(other, row.number)),
    ]));
  }

  /**
   * @param {GameNode} node
   * @param {Side} side
   */
  #move(node, side) {
    const mark = this.game.reviewOf(node)?.mark ?? null;
    const points = this.#newPoints(node);
    const button = h('button', {
      type: 'button', class: `ply${mark ? ' ' + MARKS[mark] : ''}`, 'data-node': node.id, onclick: () => void this.game.goTo(node),
    },
    chip(side), h('span', { class: 'move-name' }, node.move), mark && h('span', { class: 'mark' }, mark),
    points && h('span', { class: 'move-points' }, points.join('\u2013')));
    this.#buttons.set(node.id, button);
    return button;
  }

  /**
   * The points after a move that changes them.
   * @param {GameNode} node
   */
  #newPoints(node) {
    const points = this.game.pointsOf(node);
    const before = node.parent?.parent ? this.game.pointsOf(node.parent) : null;
    const [first, second] = before ?? [0, 0];
    return points && (points[0] !== first || points[1] !== second) ? points : null;
  }

  #select() {
    const { cursor, state } = this.game;
    if (state) {
      this.opening.hidden = state.opening === null;
      this.opening.textContent = state.opening === null ? '' : t('moves.opening', { name: state.opening });
    }
    for (const [id, button] of this.#buttons) {
      if (id === cursor.id) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const button = this.#buttons.get(cursor.id);
    if (button) this.list.scrollTop += this.#overhang(button);
    this.tools.hidden = cursor.parent === null;
    this.promote.hidden = isMain(cursor);
  }

  /** @param {HTMLElement} button */
  #overhang(button) {
    const [frame, at] = [this.list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (at.top < frame.top) return at.top - frame.top - 8;
    return at.bottom > frame.bottom ? at.bottom - frame.bottom + 8 : 0;
  }

  #promote() {
    this.game.tree.promote(this.game.cursor);
    this.game.emit('tree');
  }

  /** Removes the move at the cursor and everything after it from the tree; the note offers to undo this. */
  #remove() {
    const { game } = this;
    const node = game.cursor;
    if (!node.parent) return;
    let n = 0;
    walk(node, () => n++);
    const restore = game.tree.remove(node);
    void game.goTo(node.parent);
    game.emit('tree');
    const run = () => {
      restore();
      game.emit('tree');
      void game.goTo(node);
    };
    note(t('moves.removed', { n }), { action: { label: t('undo'), run } });
  }
}
