/** The review of the game: progress, summary, and the loss of the move at the cursor. */

import { fill, h, iconButton } from '../dom.js';
import { events, isAbort, post } from '../api.js';
import { reasonText, t, withKey } from '../i18n.js';
import { note, say } from '../announce.js';
import { isMain, movesTo, plyOf } from '../tree.js';
import { MARKS } from '../words.js';
import { chip } from '../board/mini.js';

/** @import { Reason, Review, ReviewedMove } from '../types.js' */
/** @import { Game } from '../game.js' */

const BUDGETS = ['100ms', '500ms', '2s', '10s'];
/** Maximum number of moves of a better line. */
const LINE = 10;
/** The least loss of the expected result that is shown, in percent. */
const LEAST_PERCENT = 0.5;

export class ReviewPanel {
  /** @type {AbortController | null} */
  #abort = null;
  /** The place and direction at which the end of the marked moves was announced, so that it is announced once. */
  #end = '';

  /**
   * @param {Game} game
   * @param {[string, string]} sides
   * @param {{ hover: (line: string[]) => void }} actions
   */
  constructor(game, sides, actions) {
    this.game = game;
    this.sides = sides;
    this.actions = actions;
    this.budget = h('select', { 'aria-label': t('review.budget') }, BUDGETS.map((value) => h('option', { value, selected: value === '500ms' }, t('review.per-move', { budget: value }))));
    this.start = h('button', { type: 'button', class: 'primary', onclick: () => void this.run() }, t('review.start'));
    this.stop = h('button', { type: 'button', hidden: true, onclick: () => this.cancel() }, t('stop'));
    this.progress = h('progress', { hidden: true, max: 1, value: 0, 'aria-label': t('review.title') });
    this.summary = h('div', { class: 'review-summary' });
    this.verdict = h('div', { class: 'verdict', 'aria-live': 'polite' });
    this.steps = h('div', { class: 'buttons', hidden: true },
      iconButton('previous', withKey(t('review.previous'), 'Shift+n'), () => this.mistake(-1)), iconButton('next', withKey(t('review.next'), 'n'), () => this.mistake(1)), h('span', { class: 'field-hint' }, t('review.step')));
    this.el = h('section', { class: 'card review', 'aria-label': t('review.title') },
      h('header', {}, h('h2', {}, t('review.title')), h('div', { class: 'buttons' }, this.budget, this.start, this.stop)), this.progress, this.verdict, this.steps, this.summary);
    game.on('state', () => this.render());
    game.on('review', () => this.render());
    game.on('tree', () => this.render());
    this.render();
  }

  /** The game that was played; in a variation, the line through the cursor. */
  get #reviewed() {
    const { game } = this;
    return isMain(game.cursor) ? game.mainLine : game.line;
  }

  /** Reviews the game, or the variation at the cursor. */
  async run() {
    const { game } = this;
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    const line = this.#reviewed;
    const end = line.at(-1);
    if (!end || !end.parent) return;
    const begun = game.cursor;
    this.#busy(true);
    try {
      const { id } = await post('api/review', { spot: game.spot(end), player: 'best', budget: this.budget.value, opening_plies: game.opening }, abort.signal);
      await events(`api/review/${id}`, undefined, abort.signal, (event, data) => this.#take(event, data, line));
      const first = game.review?.review.moves.find((mv) => mv.mark);
      const node = first && game.cursor === begun ? line[first.ply] : undefined;
      if (node) await game.goTo(node);
    } catch (err) {
      if (!abort.signal.aborted && !isAbort(err)) note(err instanceof Error && err.message ? err.message : t('offline'), { kind: 'error' });
    } finally {
      if (this.#abort === abort) this.#busy(false);
    }
  }

  /**
   * @param {string} event
   * @param {any} data
   * @param {import('../tree.js').GameNode[]} line
   */
  #take(event, data, line) {
    /** @type {Review | null} */
    const review = event === 'done' ? data.review ?? data : data.review ?? null;
    if (event === 'waiting') note(t('queue.place', data));
    if (event === 'progress') this.progress.value = data.of > 0 ? data.done / data.of : 0;
    if (review) this.game.setReview(review, line, event === 'done');
    if (event === 'done' && review) say(t('review.finished', { n: review.moves.filter((mv) => mv.mark).length }));
  }

  cancel() {
    this.#abort?.abort();
    this.#abort = null;
    this.#busy(false);
  }

  /** @param {boolean} busy */
  #busy(busy) {
    this.progress.hidden = !busy;
    this.progress.value = 0;
    this.stop.hidden = !busy;
    this.start.hidden = busy;
  }

  render() {
    const { review } = this.game;
    const line = this.#reviewed;
    this.start.disabled = line.length < 2;
    this.steps.hidden = !review;
    if (!review) {
      fill(this.summary, h('p', { class: 'empty' }, line.length < 2 ? t('review.no-moves') : t('review.empty')));
      fill(this.verdict);
      return;
    }
    this.#renderSummary(review.review);
    this.#renderVerdict();
  }

  /** @param {Review} review */
  #renderSummary(review) {
    const unit = this.#unit(review);
    const cell = (/** @type {string | number | null} */ text, /** @type {string} */ kind = '') => h('td', { class: `number ${kind}` }, text === null ? '\u2013' : String(text));
    const sides = review.summary.map((side, i) => h('tr', {}, h('th', { scope: 'row' }, chip(i), ' ', this.sides[i]),
      cell(side.mean_loss === null ? null : side.mean_loss.toFixed(1)), cell(side.accuracy === null ? null : `${side.accuracy.toFixed(0)} %`), cell(t('review.best-of', { n: side.best, of: side.choices })), cell(side.inaccuracies, 'inaccuracy'), cell(side.mistakes, 'mistake'), cell(side.blunders, 'blunder')));
    const head = (/** @type {string} */ text, /** @type {string} */ title, /** @type {string} */ kind = '') => h('th', { scope: 'col', class: `number ${kind}`, title }, text);
    fill(this.summary, h('table', {}, h('thead', {}, h('tr', {}, h('td', {}), head(t('review.loss', { unit }), t('review.loss-title')), head(t('review.accuracy'), t('review.accuracy-title')), head(t('review.best'), t('review.best-title')),
      head('?!', t('review.inaccuracy'), 'inaccuracy'), head('?', t('review.mistake'), 'mistake'), head('??', t('review.blunder'), 'blunder'))), h('tbody', {}, sides)),
    h('p', { class: 'field-hint' }, t('review.by', { player: review.reviewer, budget: review.budget })));
  }

  /** @param {Review} review */
  #unit(review) {
    return review.unit === 'percent' ? '%' : t('review.points');
  }

  #renderVerdict() {
    const { game } = this;
    const mv = game.reviewOf(game.cursor);
    const review = game.review?.review;
    if (!mv || !review) {
      fill(this.verdict, h('p', { class: 'field-hint' }, game.cursor.parent && !game.review?.done ? t('review.waiting') : t('review.choose')));
      return;
    }
    const loses = mv.loss >= 0.05;
    const text = loses ? t(mv.exact ? 'review.loses-exactly' : 'review.loses', { loss: mv.loss.toFixed(1).replace(/\.0$/, ''), unit: this.#unit(review) }) : t(mv.exact ? 'review.fine-exactly' : 'review.fine');
    const result = review.unit === 'points' && mv.loss_percent >= LEAST_PERCENT ? `, ${t('review.loses-percent', { percent: mv.loss_percent.toFixed(0) })}` : '';
    const reasons = (mv.loss > 0 || mv.loss_percent > 0 ? mv.reasons : []).filter((reason) => reason.kind !== 'better-line').map((reason) => h('li', {}, this.#sentence(mv, reason)));
    fill(this.verdict, h('p', {}, h('b', { class: mv.mark ? MARKS[mv.mark] : '' }, `${mv.ply}. ${mv.move}${mv.mark ?? ''}`), ' ', text, result),
      reasons.length > 0 ? h('ul', { class: 'reasons' }, reasons) : null, loses || result ? this.#better(mv) : null);
  }

  /**
   * @param {ReviewedMove} mv
   * @param {Reason} reason
   */
  #sentence(mv, reason) {
    const [first, second] = this.sides;
    const [side, other] = reason.side === 'first' ? [first, second] : [second, first];
    return reasonText(reason.kind, { move: mv.move, better: mv.best, side, other, line: (reason.line ?? []).slice(0, LINE).join(' '), ...reason.names, ...reason.numbers });
  }

  /** @param {ReviewedMove} mv */
  #better(mv) {
    const line = mv.pv.slice(0, LINE);
    const show = async () => {
      const { game } = this;
      const parent = game.cursor.parent;
      if (!parent) return;
      game.tree.addLine(parent, line);
      game.emit('tree');
      const first = parent.children.find((child) => child.move === line[0]);
      if (first) await game.goTo(first);
    };
    return h('button', { type: 'button', class: 'better', onclick: () => void show(), title: t('review.better-title') }, h('b', {}, t('review.better')), ' ', line.join('\u2002'));
  }

  /**
   * Moves the cursor to the next move with a mark, or to the previous one.
   * @param {1 | -1} direction
   */
  mistake(direction) {
    const { game } = this;
    const review = game.review;
    if (!review) return void note(t('review.first'));
    const ply = plyOf(game.cursor);
    const marked = review.review.moves.filter((mv) => mv.mark).map((mv) => mv.ply);
    const next = direction > 0 ? marked.find((one) => one > ply) : marked.filter((one) => one < ply).at(-1);
    const node = next === undefined ? undefined : review.line[next];
    if (!node) {
      const end = `${ply} ${direction}`;
      if (end !== this.#end) note(t(direction > 0 ? 'review.at-last' : 'review.at-first'));
      this.#end = end;
      return;
    }
    this.#end = '';
    void game.goTo(node).then(() => {
      const mv = game.reviewOf(node);
      if (mv) say(`${mv.ply}. ${movesTo(node).at(-1)} ${mv.mark ? t(/** @type {const} */ ({ '?!': 'review.inaccuracy', '?': 'review.mistake', '??': 'review.blunder' })[mv.mark]) : ''}`);
    });
  }
}
