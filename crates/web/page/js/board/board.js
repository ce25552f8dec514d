/** An interactive board: hover previews, ghosts, overlays, pointer and keyboard. */

import { fill, h, s } from '../dom.js';
import { hasKeys, t } from '../i18n.js';
import { say } from '../announce.js';
import { BORDER, CELL, boxesOpenedBy, cellCentre, markCentre, markOf, moveAt, noMoveAt, sizeOf, touchAt } from './layout.js';
import { drawPicture, ghost, hint, preview, readerMark, styleOf, viewOf, watchUnit } from './draw.js';

/** @import { LegalMove, State, Structure } from '../types.js' */
/** @import { Mark } from './layout.js' */
/** @import { BoardStyle } from './draw.js' */

/**
 * @typedef {object} OverlayItem a number on the board
 * @property {Mark} mark
 * @property {string} text
 * @property {number} strength 0..1
 * @property {string} kind class of the item
 */

/** Minimum comfortable size of a touch target, in CSS pixels. */
const TOUCH = 44;

export class Board {
  /** @type {State | null} */
  #state = null;
  /** @type {BoardStyle} */
  #style = 'stones';
  /** @type {LegalMove | null} */
  #pointed = null;
  #playable = false;
  /** @type {LegalMove | null} */
  #tapped = null;
  /** The cell where the right button went down. @type {number | null} */
  #marked = null;
  #play;
  #mark;
  #tell;

  /**
   * @param {(move: string) => void} play
   * @param {(steps: number) => void} scroll
   * @param {(from: number, to: number) => void} mark
   * @param {(text: string) => void} tell shows a line about a click that made no move
   */
  constructor(play, scroll, mark, tell) {
    this.#play = play;
    this.#mark = mark;
    this.#tell = tell;
    this.layers = { base: s('g'), structure: s('g'), hint: s('g'), overlay: s('g'), ghosts: s('g'), marks: s('g', { class: 'marks' }), preview: s('g') };
    this.svg = s('svg', { class: 'board', 'aria-hidden': 'true' }, ...Object.values(this.layers));
    watchUnit(this.svg);
    this.el = h('div', { class: 'board-frame', tabindex: '0', role: 'application', 'aria-label': hasKeys ? t('board.label') : t('play.board'), 'aria-describedby': 'board-text' },
      this.svg);
    this.svg.addEventListener('pointermove', (event) => event.pointerType !== 'touch' && this.#point(this.#find(event)));
    this.svg.addEventListener('pointerleave', () => this.#point(null));
    this.svg.addEventListener('contextmenu', (event) => event.preventDefault());
    this.svg.addEventListener('pointerdown', (event) => { if (event.button === 2) this.#marked = this.#cellAt(event); });
    this.svg.addEventListener('pointerup', (event) => { if (event.button === 2) this.#endMark(event); });
    this.svg.addEventListener('click', (event) => this.#click(event));
    this.el.addEventListener('keydown', (event) => this.#key(event));
    this.el.addEventListener('blur', () => this.#point(null));
    this.svg.addEventListener('wheel', (event) => {
      if (event.ctrlKey || Math.abs(event.deltaY) < 4) return;
      event.preventDefault();
      scroll(Math.sign(event.deltaY));
    }, { passive: false });
  }

  /**
   * @param {State} state
   * @param {{ playable: boolean, fallen?: boolean }} options
   */
  show(state, { playable, fallen = false }) {
    const picture = state.picture;
    this.#state = state;
    this.#playable = playable;
    this.#tapped = null;
    this.el.classList.toggle('playable', playable);
    if (!picture) {
      fill(this.layers.base, s('text', { x: 20, y: 40, class: 'label' }, state.position));
      return;
    }
    this.#style = styleOf(state.game, picture);
    this.svg.classList.toggle('boxes', this.#style === 'boxes');
    const view = viewOf(picture, this.#style);
    this.svg.setAttribute('viewBox', view.box);
    this.el.style.setProperty('--ratio', String(view.ratio));
    fill(this.layers.base, drawPicture(picture, this.#style, { fallen, lastSide: state.moves.at(-1)?.side }), this.#legalDots(state));
    fill(this.layers.ghosts);
    fill(this.layers.hint);
    this.#point(null);
  }

  /** @param {State} state */
  #legalDots(state) {
    const picture = state.picture;
    if (!picture || this.#style !== 'discs' || !this.#playable) return null;
    const dots = picture.cells.flatMap((cell, i) => (cell.legal ? [cellCentre(picture, i)] : []));
    return s('g', { class: `legal side-${state.to_move}` }, dots.map(({ x, y }) => s('circle', { cx: x, cy: y, r: 5 })));
  }

  /**
   * Numbered ghosts of a line; an empty one clears them.
   * @param {Mark[]} marks
   */
  setGhosts(marks) {
    const picture = this.#state?.picture;
    if (!picture) return;
    fill(this.layers.ghosts, marks.slice(0, 16).map((mark, i) => ghost(picture, this.#style, mark, i + 1)).reverse());
    this.svg.classList.toggle('with-ghosts', marks.length > 0);
  }

  /**
   * A move that is proposed, below the numbers on the board; `null` clears it.
   * @param {Mark | null} mark
   */
  setHint(mark) {
    const picture = this.#state?.picture;
    if (picture) fill(this.layers.hint, mark && hint(picture, this.#style, mark));
  }

  /** @param {OverlayItem[]} items */
  setOverlay(items) {
    const picture = this.#state?.picture;
    if (!picture) return;
    fill(this.layers.overlay, items.map((item) => {
      const at = markCentre(picture, item.mark);
      if (!at) return null;
      const [least, largest] = this.#style === 'boxes' ? [10, 13] : [12, 18.5];
      return s('g', { class: `overlay ${item.kind}${item.text.length > 2 ? ' long' : ''}` },
        s('circle', { cx: at.x, cy: at.y, style: `--r:${Math.max(least, largest * Math.sqrt(item.strength)).toFixed(2)}` }),
        s('text', { x: at.x, y: at.y + 0.5 }, item.text));
    }));
  }

  /**
   * Rings and arrows drawn by the user.
   * @param {[number, number][]} marks
   */
  setMarks(marks) {
    const picture = this.#state?.picture;
    if (picture) fill(this.layers.marks, marks.map(([from, to]) => readerMark(picture, from, to)));
  }

  /**
   * The cell below the pointer.
   * @param {MouseEvent} event
   */
  #cellAt(event) {
    const picture = this.#state?.picture;
    const matrix = this.svg.getScreenCTM();
    if (!picture || !matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [row, column] = [Math.floor((y - BORDER) / CELL), Math.floor((x - BORDER) / CELL)];
    return row >= 0 && column >= 0 && row < picture.rows && column < picture.columns ? row * picture.columns + column : null;
  }

  /** @param {PointerEvent} event */
  #endMark(event) {
    const [from, to] = [this.#marked, this.#cellAt(event)];
    this.#marked = null;
    if (from !== null && to !== null) this.#mark(from, to);
  }

  /** @param {Structure | null} structure */
  setStructure(structure) {
    const picture = this.#state?.picture;
    if (!picture) return;
    fill(this.layers.structure, (structure?.parts ?? []).flatMap((part) => part.cells.map((cell) => {
      const { x, y } = cellCentre(picture, cell);
      return s('g', { class: `part ${part.kind}` },
        s('rect', { x: x - CELL / 2 + 3, y: y - CELL / 2 + 3, width: CELL - 6, height: CELL - 6 }),
        part.label ? s('text', { x, y }, part.label) : null);
    })));
  }

  /**
   * Draws a move before the server has confirmed it, so that a click has an immediate effect.
   * @param {string} move
   */
  expect(move) {
    const state = this.#state;
    const legal = state?.legal.find((one) => one.move === move);
    if (!legal || !state?.picture || state.to_move === null) return;
    this.#playable = false;
    const stone = preview(state.picture, this.#style, legal, state.to_move);
    stone.setAttribute('class', 'expected');
    fill(this.layers.preview, stone);
    fill(this.layers.overlay);
    fill(this.layers.ghosts);
  }

  /**
   * The place of an event in the drawing, if a move can be made.
   * @param {PointerEvent | MouseEvent} event
   */
  #place(event) {
    const matrix = this.svg.getScreenCTM();
    if (!this.#state || !this.#playable || !matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { state: this.#state, x, y };
  }

  /** @param {PointerEvent | MouseEvent} event */
  #find(event) {
    const at = this.#place(event);
    return at && moveAt(at.state, at.x, at.y);
  }

  /** @param {LegalMove | null} legal */
  #point(legal) {
    if (legal === this.#pointed && legal !== null) return;
    this.#pointed = legal;
    const state = this.#state;
    this.svg.classList.toggle('pointing', legal !== null);
    if (!legal || !state?.picture || state.to_move === null) {
      this.layers.preview.replaceChildren();
      return;
    }
    fill(this.layers.preview, this.#opened(legal), preview(state.picture, this.#style, legal, state.to_move), this.#columnCue(legal));
  }

  /**
   * The chain that an edge opens for the opponent.
   * @param {LegalMove} legal
   */
  #opened(legal) {
    const picture = this.#state?.picture;
    if (!picture || !legal.at || !('edge' in legal.at)) return null;
    const closes = legal.after.cells.length > 0;
    return boxesOpenedBy(picture, legal.at.edge).map((box) => {
      const { x, y } = cellCentre(picture, box);
      return s('rect', { class: closes ? 'opens mine' : 'opens', x: x - CELL / 2 + 4, y: y - CELL / 2 + 4, width: CELL - 8, height: CELL - 8, rx: 5 });
    });
  }

  /** @param {LegalMove} legal */
  #columnCue(legal) {
    const picture = this.#state?.picture;
    if (!picture || !legal.at || !('column' in legal.at)) return null;
    const { x } = cellCentre(picture, legal.at.column);
    return s('path', { class: `cue side-${this.#state?.to_move}`, d: `M${x - 6} 8h12l-6 8z` });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const at = this.#place(event);
    if (!at) return;
    const touch = event instanceof PointerEvent && event.pointerType === 'touch';
    const { legal, isSure } = touch ? touchAt(at.state, at.x, at.y) : { legal: moveAt(at.state, at.x, at.y), isSure: true };
    const scale = this.svg.getScreenCTM()?.a ?? 1;
    if (!legal) {
      this.#tapped = null;
      this.#point(null);
      const reason = noMoveAt(at.state, at.x, at.y);
      if (reason) this.#tell(t(reason.text, reason.params));
    } else if (touch && (!isSure || CELL * scale < TOUCH) && this.#tapped !== legal) {
      this.#tapped = legal;
      this.#point(legal);
      this.#tell(t(legal.at && 'edge' in legal.at ? 'board.tap-again-edge' : 'board.tap-again', { move: legal.move }));
    } else {
      this.#play(legal.move);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const state = this.#state;
    if (!state?.picture || !this.#playable || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      this.#step(state, step[0] ?? 0, step[1] ?? 0);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#pointed) {
      this.#play(this.#pointed.move);
    } else if (event.key === 'Escape' && this.#pointed) {
      this.#point(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Points at the nearest legal move in a direction.
   * @param {State} state
   * @param {number} dx
   * @param {number} dy
   */
  #step(state, dx, dy) {
    const picture = state.picture;
    if (!picture) return;
    const places = state.legal.flatMap((legal) => {
      const centre = markCentre(picture, markOf(picture, legal, state.to_move));
      return centre ? [{ legal, ...centre }] : [];
    });
    const middle = { x: sizeOf(picture).width / 2, y: sizeOf(picture).height / 2 };
    const from = places.find((place) => place.legal === this.#pointed) ?? middle;
    const columns = places.some(({ legal }) => legal.at && 'column' in legal.at);
    let best = null;
    let least = Infinity;
    for (const place of places) {
      if (place.legal === this.#pointed) continue;
      const along = this.#pointed ? (place.x - from.x) * dx + (place.y - from.y) * dy : 1;
      const across = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
      const distance = this.#pointed ? along + (columns ? 0 : 2 * across) : Math.hypot(place.x - from.x, place.y - from.y);
      if (along > 1e-6 && distance < least) [best, least] = [place, distance];
    }
    if (!best) return;
    this.#point(best.legal);
    say(describeMove(best.legal));
  }
}

/**
 * A move and its effect as text.
 * @param {LegalMove} legal
 */
export function describeMove(legal) {
  const changes = legal.after.cells.length;
  if (legal.at && 'cell' in legal.at && changes > 1) return t('board.flips', { move: legal.move, n: changes - 1 });
  if (legal.at && 'edge' in legal.at && changes > 0) return t('board.closes', { move: legal.move, n: changes });
  return legal.move;
}
