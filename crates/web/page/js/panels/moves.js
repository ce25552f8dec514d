/** The moves of the game as text, with its variations. */

import { fill, h } from '../dom.js';
import { t } from '../i18n.js';
import { isMain, plyOf, walk } from '../tree.js';
import { MARKS, sideSign } from '../words.js';
import { note } from '../announce.js';

/** @import { Game } from '../game.js' */
/** @import { GameNode } from '../tree.js' */

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
    if (this.game.tree.root.children.length === 0) {
      fill(this.list, h('p', { class: 'empty' }, t('moves.empty')));
    } else {
      fill(this.list, this.#line(this.game.tree.root));
    }
    if (focused) this.#buttons.get(Number(focused))?.focus();
    this.#select();
  }

  /**
   * The main line below a node; alternatives are shown in a separate block after the move that they replace.
   * @param {GameNode} from
   * @returns {HTMLElement[]}
   */
  #line(from) {
    const parts = [];
    for (let at = from; at.children.length > 0;) {
      const [main, ...others] = at.children;
      if (!main) break;
      parts.push(this.#move(main));
      for (const other of others) parts.push(h('div', { class: 'variation' }, this.#move(other), this.#line(other)));
      at = main;
    }
    return parts;
  }

  /** @param {GameNode} node */
  #move(node) {
    const side = this.game.sideOf(node);
    const mark = this.game.reviewOf(node)?.mark ?? null;
    const ply = plyOf(node);
    const button = h('button', {
      type: 'button', class: `ply${mark ? ' ' + MARKS[mark] : ''}`, 'data-node': node.id, onclick: () => void this.game.goTo(node),
    },
    h('span', { class: 'ply-number' }, String(ply)),
    side === null ? null : h('span', { class: `sign side-${side}`, 'aria-hidden': 'true' }, sideSign(side)),
    h('span', {}, node.move), mark && h('span', { class: 'mark' }, mark));
    this.#buttons.set(node.id, button);
    return button;
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
