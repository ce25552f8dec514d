/** The value of every position of the line, as a curve; a click selects a position. */

import { fill, h, s } from '../dom.js';
import { hasKeys, signed, t } from '../i18n.js';
import { MARKS, percentText } from '../words.js';

/** @import { Game } from '../game.js' */
/** @import { GameNode } from '../tree.js' */

const WIDTH = 400;
const HEIGHT = 110;
/** Minimum range of margins, so that small ones look small. */
const LEAST_MARGIN = 4;
/** Maximum number of marks with glyphs; if there are more, all are small shapes. */
const MOST_MARKS = 14;

export class CurvePanel {
  /**
   * @param {Game} game
   * @param {[string, string]} sides
   * @param {boolean} counts whether margins count in the game, not only the winner
   */
  constructor(game, sides, counts) {
    this.counts = counts;
    this.game = game;
    this.sides = sides;
    this.svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    this.marks = h('div', { class: 'curve-marks', 'aria-hidden': 'true' });
    this.tip = h('div', { class: 'curve-tip', hidden: true });
    this.plot = h('div', {
      class: 'curve-plot', role: 'slider', tabindex: '0', 'aria-label': hasKeys ? t('curve.label') : t('curve.title'), 'aria-valuemin': 0,
      onclick: (/** @type {MouseEvent} */ event) => void this.#go(event), onmousemove: (/** @type {MouseEvent} */ event) => this.#hover(event),
      onmouseleave: () => { this.tip.hidden = true; },
    }, this.svg, this.marks, this.tip);
    this.ends = [h('span', { class: 'side-0' }), h('span', { class: 'side-1' })];
    this.el = h('section', { class: 'card curve', 'aria-label': t('curve.title') },
      h('h2', {}, t('curve.title')), h('div', { class: 'curve-body' }, h('div', { class: 'curve-ends', 'aria-hidden': 'true' }, this.ends), this.plot));
    for (const event of ['moved', 'state', 'result', 'review', 'tree']) game.on(event, () => this.#soon());
    this.render();
  }

  #planned = 0;

  #soon() {
    if (this.#planned) return;
    this.#planned = requestAnimationFrame(() => {
      this.#planned = 0;
      this.render();
    });
  }

  get #last() {
    return Math.max(1, this.game.line.length - 1);
  }

  render() {
    const line = this.game.line;
    const values = line.map((node) => this.game.valueOf(node));
    const known = values.filter((value) => value !== null);
    const margins = this.counts && known.some((value) => value.margin !== null && Math.abs(value.margin) > 0) && known.every((value) => value.margin !== null);
    const most = margins ? Math.ceil(known.reduce((max, value) => Math.max(max, Math.abs(value.margin ?? 0)), LEAST_MARGIN)) : 1;
    const y = (/** @type {{ value: number, margin: number | null }} */ value) =>
      HEIGHT / 2 - ((margins ? value.margin ?? 0 : value.value) / most) * (HEIGHT / 2 - 6);
    const x = (/** @type {number} */ ply) => (ply / this.#last) * WIDTH;
    const points = values.flatMap((value, ply) => (value ? [{ x: x(ply), y: y(value), exact: value.exact, ply }] : []));
    const cursor = line.indexOf(this.game.cursor);
    const path = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ');
    const [start, end] = [points[0], points.at(-1)];
    fill(this.svg,
      s('line', { class: 'even', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      start && end && s('polygon', { class: 'area', points: `${start.x},${HEIGHT / 2} ${path} ${end.x},${HEIGHT / 2}` }),
      s('polyline', { class: 'trace', points: path }),
      s('line', { class: 'cursor', x1: x(cursor), x2: x(cursor), y1: 0, y2: HEIGHT }));
    const at = (/** @type {{ x: number, y: number }} */ point) => `left:${(point.x / WIDTH) * 100}%;top:${(point.y / HEIGHT) * 100}%`;
    const crowded = line.filter((node) => this.game.reviewOf(node)?.mark).length > MOST_MARKS;
    fill(this.marks, points.map((point) => {
      const node = line[point.ply];
      const mark = node ? this.game.reviewOf(node)?.mark : null;
      if (mark) return h('i', { class: `curve-mark ${MARKS[mark]}${crowded && point.ply !== cursor ? ' small' : ''}`, style: at(point) }, mark);
      return points.length < 40 || point.ply === cursor ? h('i', { class: `curve-dot${point.ply === cursor ? ' now' : ''}`, style: at(point) }) : null;
    }));
    this.#describe(line, cursor, margins, most);
    this.el.classList.toggle('without', points.length === 0);
  }

  /**
   * @param {GameNode[]} line
   * @param {number} cursor
   * @param {boolean} margins
   * @param {number} most
   */
  #describe(line, cursor, margins, most) {
    this.ends.forEach((end, side) => {
      end.textContent = margins ? `${this.sides[side]} +${most}` : this.sides[side] ?? '';
    });
    this.plot.setAttribute('aria-valuemax', String(line.length - 1));
    this.plot.setAttribute('aria-valuenow', String(cursor));
    const node = line[cursor];
    if (node) this.plot.setAttribute('aria-valuetext', this.#words(node, cursor));
  }

  /**
   * @param {GameNode} node
   * @param {number} ply
   */
  #words(node, ply) {
    const value = this.game.valueOf(node);
    const side = value && value.value < 0 ? 1 : 0;
    const text = !value ? t('curve.unknown')
      : this.counts && value.margin !== null ? `${this.sides[0]} ${signed(value.margin, Number.isInteger(value.margin) ? 0 : 1)}`
        : `${this.sides[side]} ${percentText(Math.abs(value.value))} %`;
    return `${ply}. ${node.move} ${value?.exact ? '= ' : ''}${text}`;
  }

  /** @param {MouseEvent} event */
  #plyAt(event) {
    const frame = this.plot.getBoundingClientRect();
    return Math.max(0, Math.min(this.#last, Math.round(((event.clientX - frame.left) / frame.width) * this.#last)));
  }

  /** @param {MouseEvent} event */
  async #go(event) {
    const node = this.game.line[this.#plyAt(event)];
    if (node) await this.game.goTo(node);
  }

  /** @param {MouseEvent} event */
  #hover(event) {
    const ply = this.#plyAt(event);
    const node = this.game.line[ply];
    if (!node) return;
    this.tip.hidden = false;
    this.tip.textContent = this.#words(node, ply);
    this.tip.style.left = `${(ply / this.#last) * 100}%`;
    this.tip.classList.toggle('left', ply > this.#last / 2);
  }
}
