/** The analysis panel: state of the search, its figures, and the moves it considers. */

import { ICONS, fill, h, icon } from '../dom.js';
import { countsMargins, gameOf } from '../games.js';
import { hasKeys, short, signed, t, whole, withKey } from '../i18n.js';
import { settings } from '../settings.js';
import { explanation, term } from '../term.js';
import { hasMargins, percentText, proven, valueText } from '../words.js';
import { legendText } from '../board/overlay.js';
import { pickAnalyst } from '../dialogs/player-picker.js';

/** @import { About, Analysis, Candidate } from '../types.js' */
/** @import { Game } from '../game.js' */
/** @import { Analyst } from '../analysis.js' */

/** Number of moves shown at first. */
const SHOWN = 8;
/** Maximum number of moves of a line. */
const LINE = 10;

/** Limits to choose from, as `settings.limit`. */
const LIMITS = ['time:2', 'time:10', 'time:60', 'visits:10000', 'visits:100000', 'visits:1000000', 'infinite'];

export class CandidatesPanel {
  #all = false;
  /** @type {Candidate | null} */
  #hovered = null;

  /**
   * @param {Game} game
   * @param {Analyst} analyst
   * @param {About} about
   * @param {[string, string]} sides
   * @param {{ hover: (line: string[]) => void, play: (line: string[]) => void }} actions
   */
  constructor(game, analyst, about, sides, actions) {
    this.sides = sides;
    this.counts = countsMargins(game.spec);
    this.game = game;
    this.analyst = analyst;
    this.about = about;
    this.actions = actions;
    this.toggle = h('button', { type: 'button', role: 'switch', class: 'switch', 'aria-label': t('engine.on'), title: withKey(t('engine.on-key'), 'l'), onclick: () => analyst.turn(!analyst.active) });
    this.player = h('button', { type: 'button', class: 'quiet', title: t('engine.player'), onclick: () => this.#choosePlayer() });
    this.limit = this.#limitSelect();
    this.overlay = this.#overlaySelect();
    this.value = h('p', { class: 'headline' });
    this.status = h('p', { class: 'status' });
    this.legend = h('p', { class: 'field-hint legend', hidden: true });
    this.stats = h('dl', { class: 'stats' });
    this.body = h('tbody', { onmouseleave: () => this.#hover(null) });
    this.meaning = explanation();
    const head = (/** @type {string} */ label, /** @type {string} */ meaning) => term(label, meaning, this.meaning);
    this.winHead = head(t('candidates.win'), t('candidates.win-title'));
    this.marginHead = head(t('candidates.margin'), t('candidates.margin-title'));
    this.table = h('table', { class: 'candidates' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, head(t('candidates.move'), t('candidates.move-title'))),
        h('th', { scope: 'col', class: 'number' }, head(t('candidates.visits'), t('candidates.visits-title'))),
        h('th', { scope: 'col', class: 'number' }, this.winHead, this.marginHead), h('th', { scope: 'col' }, head(t('candidates.line'), t('candidates.line-title'))))), this.body);
    this.totals = h('p', { class: 'field-hint totals', hidden: true });
    this.more = h('button', { type: 'button', class: 'quiet more', onclick: () => { this.#all = !this.#all; this.render(); } });
    this.el = h('section', { class: 'card analysis', 'aria-label': t('analysis.title') },
      h('header', { class: 'engine-line' }, this.toggle, this.value, this.player),
      h('div', { class: 'engine-options' }, this.limit, this.overlay), this.legend, this.status, this.stats, this.meaning, this.table, this.more, this.totals);
    for (const event of ['phase', 'progress']) analyst.on(event, () => this.render());
    game.on('moved', () => this.render());
    game.on('state', () => this.render());
    game.on('look', () => {
      this.overlay.value = game.overlay;
      this.render();
    });
    this.render();
  }

  #limitSelect() {
    const option = (/** @type {string} */ limit) => h('option', { value: limit, selected: limit === settings.limit }, limitText(limit));
    const select = h('select', { 'aria-label': t('engine.limit') }, LIMITS.map(option));
    select.addEventListener('change', () => this.analyst.configure({ limit: select.value }));
    return select;
  }

  #overlaySelect() {
    const structure = gameOf(this.game.spec)?.structure ?? false;
    const kinds = /** @type {const} */ (['off', 'win', 'visits', 'proven', ...(structure ? ['structure'] : [])]);
    const names = { off: t('overlay.off'), win: t('overlay.win'), visits: t('overlay.visits'), proven: t('overlay.proven'), structure: t('overlay.structure') };
    const select = h('select', { 'aria-label': t('overlay.title') },
      kinds.map((kind) => h('option', { value: kind, selected: kind === this.game.overlay }, names[/** @type {keyof typeof names} */ (kind)])));
    select.addEventListener('change', () => this.analyst.configure({ overlay: /** @type {keyof typeof names} */ (select.value) }));
    return select;
  }

  /** Selects the next overlay, for its key. */
  nextOverlay() {
    this.overlay.selectedIndex = (this.overlay.selectedIndex + 1) % this.overlay.options.length;
    this.overlay.dispatchEvent(new Event('change'));
    return this.overlay.selectedOptions[0]?.textContent ?? '';
  }

  async #choosePlayer() {
    const player = await pickAnalyst(this.about, this.game.spec, this.game.analyst);
    if (player) this.analyst.configure({ analyst: player });
  }

  render() {
    const { analyst, game } = this;
    const analysis = game.resultOf(game.cursor);
    this.toggle.setAttribute('aria-checked', String(analyst.active));
    fill(this.player, game.analyst, icon(ICONS.edit));
    const busy = analyst.phase === 'thinking';
    this.el.classList.toggle('busy', busy);
    this.#renderHeadline(analysis);
    this.status.textContent = this.#statusText(analysis);
    this.status.className = `status ${analyst.phase}`;
    this.stats.hidden = !analysis;
    this.table.hidden = !analysis || analysis.moves.length === 0;
    this.more.hidden = !analysis || analysis.moves.length <= SHOWN;
    this.totals.hidden = true;
    this.#renderLegend(analysis);
    if (!analysis) return;
    this.#renderStats(analysis);
    this.#renderMoves(analysis);
    this.#renderTotals(analysis);
    this.more.textContent = this.#all ? t('candidates.fewer') : t('candidates.more', { n: analysis.moves.length - SHOWN });
  }

  /**
   * Says what the numbers on the board mean, while they are on it.
   * @param {Analysis | null} analysis
   */
  #renderLegend(analysis) {
    const { overlay, spec } = this.game;
    const kind = overlay === 'structure' && !this.game.state?.structure ? 'win' : overlay;
    const text = analysis && this.analyst.active ? legendText(analysis, kind, { counts: this.counts, things: gameOf(spec)?.unit.many ?? '' }) : '';
    this.legend.hidden = text === '';
    this.legend.textContent = text;
  }

  /** @param {Analysis | null} analysis */
  #renderHeadline(analysis) {
    const proof = proven(analysis?.proof ?? null, analysis?.ends_in);
    this.value.className = `headline ${proof?.kind ?? ''}`;
    if (!analysis) this.value.textContent = t('engine.on');
    else if (proof && proof.kind !== 'bounded') this.value.textContent = `${proof.sign} ${proof.text}`;
    else if (hasMargins(analysis, this.counts) && analysis.margin !== undefined) this.value.textContent = signed(analysis.margin, Number.isInteger(analysis.margin) ? 0 : 1);
    else this.value.textContent = `${percentText(analysis.value)} %`;
    if (analysis) this.value.append(' ', h('span', { class: 'whose' }, t('analysis.whose', { side: this.sides[analysis.to_move === 'first' ? 0 : 1] ?? '' })));
  }

  /** @param {Analysis | null} analysis */
  #statusText(analysis) {
    const { phase, message } = this.analyst;
    if (phase === 'off') return analysis ? '' : hasKeys ? t('analysis.off-keys') : t('analysis.off');
    if (phase === 'thinking') return analysis?.book && !analysis.playouts ? t('analysis.book') : t('analysis.thinking');
    if (phase === 'limit') return t('analysis.busy', { message });
    if (phase === 'error') return message;
    if (phase === 'offline') return t('offline');
    if (phase === 'over') return t('analysis.over');
    return phase === 'proven' ? t('analysis.proven') : t('analysis.done');
  }

  /** @param {Analysis} analysis */
  #renderStats(analysis) {
    const rate = analysis.rate ?? (analysis.elapsed_ms > 0 ? (analysis.playouts / analysis.elapsed_ms) * 1000 : 0);
    const figures = [
      [t('stats.rate'), `${short(rate)}/s`],
      [t('stats.nodes'), short(analysis.nodes)],
      analysis.depth === undefined ? null : [t('stats.depth'), String(analysis.depth)],
      analysis.reused > 0 ? [t('stats.reused'), `${(analysis.reused * 100).toFixed(0)} %`] : null,
      [t('stats.memory'), `${(analysis.memory_bytes / 2 ** 20).toFixed(analysis.memory_bytes < 1e7 ? 1 : 0)} MiB`],
      [t('stats.time'), `${(analysis.elapsed_ms / 1000).toFixed(1)} s`],
    ];
    fill(this.stats, figures.flatMap((figure) => (figure ? [h('div', {}, h('dt', {}, figure[0]), h('dd', {}, figure[1]))] : [])));
  }

  /** @param {Analysis} analysis */
  #renderMoves(analysis) {
    const margins = hasMargins(analysis, this.counts);
    this.winHead.hidden = margins;
    this.marginHead.hidden = !margins;
    // A column in which no move has anything is left out.
    this.table.classList.toggle('no-visits', analysis.moves.every((mv) => mv.visits === 0));
    this.table.classList.toggle('no-line', analysis.moves.every((mv) => mv.pv.length < 2));
    const moves = this.#all ? analysis.moves : analysis.moves.slice(0, SHOWN);
    const most = Math.max(1, ...analysis.moves.map((mv) => mv.visits));
    while (this.body.children.length > moves.length) this.body.lastElementChild?.remove();
    moves.forEach((mv, i) => {
      const row = /** @type {HTMLTableRowElement} */ (this.body.children[i] ?? this.body.appendChild(this.#row()));
      this.#fillRow(row, mv, { margins, share: mv.visits / most });
    });
  }

  /**
   * Says why the visits add up to less than the positions evaluated, where they do.
   * @param {Analysis} analysis
   */
  #renderTotals(analysis) {
    const visits = analysis.moves.reduce((sum, mv) => sum + mv.visits, 0);
    this.totals.hidden = visits === 0 || visits > 0.95 * analysis.playouts;
    this.totals.textContent = t('candidates.fewer-visits', { visits: short(visits), playouts: short(analysis.playouts) });
  }

  /** Creates a row that stays while its move changes, so that updates do not disturb hovering and focus. */
  #row() {
    const at = () => this.#moveOf(row);
    const row = h('tr', {
      onmouseenter: () => this.#hover(at()),
      onclick: () => { const mv = at(); if (mv) this.actions.play([mv.move]); },
    },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', onfocus: () => this.#hover(at()), onblur: () => this.#hover(null) })),
    h('td', { class: 'number visits' }), h('td', { class: 'number' }), h('td', { class: 'line' }));
    return row;
  }

  /** @param {HTMLTableRowElement} row */
  #moveOf(row) {
    const index = [...this.body.children].indexOf(row);
    return this.game.resultOf(this.game.cursor)?.moves[index] ?? null;
  }

  /**
   * @param {HTMLTableRowElement} row
   * @param {Candidate} mv
   * @param {{ margins: boolean, share: number }} shown
   */
  #fillRow(row, mv, shown) {
    const [move, visits, value, line] = row.children;
    const button = move?.firstElementChild;
    const proof = proven(mv.proof, mv.ends_in);
    if (!button || !visits || !value || !line) return;
    button.textContent = mv.move;
    visits.textContent = mv.visits > 0 ? short(mv.visits) : '\u2013';
    visits.setAttribute('title', whole(mv.visits));
    row.style.setProperty('--share', shown.share.toFixed(3));
    const text = proof && proof.kind !== 'bounded' ? proof.text : valueText(mv, shown.margins);
    fill(value, proof && h('span', { class: `proof ${proof.kind}`, title: proof.text }, proof.sign), ' ', text);
    line.textContent = mv.pv.slice(1, LINE).join('\u2002');
  }

  /** @param {Candidate | null} mv */
  #hover(mv) {
    if (mv === null && this.#hovered === null) return;
    this.#hovered = mv;
    this.actions.hover(mv ? (mv.pv.length > 0 ? mv.pv : [mv.move]) : []);
  }
}

/** @param {string} limit */
function limitText(limit) {
  const [kind, amount] = limit.split(':');
  if (kind === 'time') return t('limit.time', { n: Number(amount) });
  return kind === 'visits' ? t('limit.visits', { n: short(Number(amount)) }) : t('limit.none');
}
