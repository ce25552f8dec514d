/** One match or sweep: standing, interval, live game, and its games. */

import { fill, h } from '../dom.js';
import { Refused, events, get, isAbort, post } from '../api.js';
import { signed, t } from '../i18n.js';
import { setShortcuts, openKeys } from '../keys.js';
import { note, say } from '../announce.js';
import { miniBoard } from '../board/mini.js';
import { recordHash } from '../dialogs/import.js';
import { intervalChart, sweepChart } from './charts.js';
import { stateChip } from './list.js';
import { paced, thinned } from './pace.js';

/** @import { MatchInfo, State } from '../types.js' */

/** Minimum interval between two pictures of the live game. */
const PICTURE_MS = 250;
/** Minimum interval between two requests of the whole result. */
const LOOK_MS = 3000;
/** Number of games that the list loads at a time. */
const PAGE = 200;
/** Maximum number of games in the list of a match that is watched; the earliest ones are removed. */
const MOST_ROWS = 1000;
/** Maximum number of points of the curve. */
const MOST_POINTS = 300;

/**
 * @typedef {object} Standing
 * @property {number} pairs
 * @property {number} of
 * @property {[number, number, number]} [wdl]
 * @property {[number, number, number]} [elo]
 * @property {{ players: [number, number], pairs: number, wdl: [number, number, number], elo: [number, number, number] }[]} [pairings]
 * @property {number} faults
 */

export class MatchView {
  #abort = new AbortController();
  /** @type {Standing[]} */
  #history = [];
  #timer = 0;
  #picture = paced(() => void this.#draw(), PICTURE_MS);
  #curve = paced(() => this.#drawCurve(), PICTURE_MS);
  /** Number of the last request of the result, and of the last one that was shown. */
  #asked = 0;
  #shown = 0;
  /** The games in the list. @type {Set<string>} */
  #listed = new Set();
  /** Number of games before those in the list. @type {number | null} */
  #unlisted = null;
  #looked = 0;
  /** @type {{ key: string, spec: string, moves: string[], players: string[] } | null} */
  #live = null;

  /**
   * @param {string} id
   * @param {(hash: string) => void} open
   */
  constructor(id, open) {
    this.id = id;
    this.open = open;
    this.path = `api/matches/${encodeURIComponent(id)}`;
    this.title = h('h1', {}, id);
    this.chip = h('span', {});
    this.stop = h('button', { type: 'button', hidden: true, onclick: () => void this.#act('stop') }, t('stop'));
    this.resume = h('button', { type: 'button', hidden: true, onclick: () => void this.#act('resume') }, t('match.resume'));
    this.progress = h('progress', { max: 1, value: 0, 'aria-label': t('match.progress') });
    this.progressText = h('p', { class: 'field-hint' });
    this.elo = h('p', { class: 'elo' });
    this.chart = h('div', { class: 'chart' });
    this.standings = h('div', { class: 'standings', tabindex: '0', role: 'group', 'aria-label': t('match.standings') });
    this.board = h('div', { class: 'live-board' });
    this.liveText = h('p', { class: 'field-hint' }, t('match.no-live'));
    this.games = h('div', { class: 'record-list', role: 'list' });
    this.more = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => void this.#list() }, t('match.more'));
    this.warnings = h('div', {});
    this.el = h('main', { class: 'match', id: 'main', tabindex: '-1' },
      h('header', { class: 'match-head' }, h('a', { class: 'back', href: '#matches' }, t('matches.title')), h('div', { class: 'title-line' }, this.title, this.chip, h('div', { class: 'buttons' }, this.stop, this.resume)), this.progress, this.progressText),
      h('div', { class: 'match-grid' }, h('section', { class: 'card', 'aria-label': t('match.strength') }, h('h2', {}, t('match.strength')), this.elo, this.chart),
        h('section', { class: 'card', 'aria-label': t('match.live') }, h('h2', {}, t('match.live')), this.board, this.liveText),
        h('section', { class: 'card', 'aria-label': t('match.standings') }, h('h2', {}, t('match.standings')), this.standings, this.warnings),
        h('section', { class: 'card', 'aria-label': t('match.games') }, h('h2', {}, t('match.games')), this.games, this.more)));
    setShortcuts([{ keys: ['?', 'Shift+?', 'Shift+/'], label: 'keys.help', shown: 1, run: openKeys }]);
  }

  async begin() {
    await this.#look();
    void this.#watch();
  }

  async #look() {
    this.#looked = performance.now();
    const asked = ++this.#asked;
    const match = await get(this.path);
    // An answer that a later one has overtaken may be out of date, for example about whether the match runs.
    if (asked < this.#shown) return;
    this.#shown = asked;
    this.#show(match);
  }

  /** @param {MatchInfo & { summary: any, sweep: any }} match */
  #show(match) {
    this.title.textContent = match.title;
    document.title = t('page.title-of', { title: match.title });
    fill(this.chip, stateChip(match.state));
    this.stop.hidden = match.state !== 'running';
    this.resume.hidden = match.state !== 'stopped' || match.kind === 'rating' || match.kind === 'tune';
    this.state = match.state;
    if (match.state !== 'running') {
      this.#live = null;
      this.liveText.textContent = t('match.no-live');
    }
    if (match.sweep) this.#sweep(match.sweep);
    if (match.summary) this.#table(match.summary);
    if (!match.summary && !match.sweep) this.progressText.textContent = t('matches.games', { n: match.games ?? 0 });
  }

  async #watch() {
    try {
      await events(`${this.path}/events`, undefined, this.#abort.signal, (event, data) => this.#take(data.event ?? event, data));
      if (!this.#abort.signal.aborted) await this.#ended();
    } catch (err) {
      if (this.#abort.signal.aborted || isAbort(err)) return;
      if (err instanceof Refused && err.status > 0) return void note(err.message, { kind: 'error' });
      this.#timer = window.setTimeout(() => void this.#watch(), 2000);
    }
  }

  /** Loads the final result and the list, once the match has ended. */
  async #ended() {
    await this.#look();
    await this.#listAgain();
  }

  /** Reloads the list: games that ended before the stream of events began have no event. */
  async #listAgain() {
    fill(this.games);
    this.#listed.clear();
    this.#unlisted = null;
    await this.#list();
  }

  /**
   * @param {string} event
   * @param {any} data
   */
  #take(event, data) {
    if (event === 'snapshot') {
      this.#shown = ++this.#asked;
      this.#show(data);
      void this.#listAgain().catch(() => undefined);
    }
    if (event === 'stats') this.#standing(data);
    if (event === 'stats' && performance.now() - this.#looked > LOOK_MS) void this.#look().catch(() => undefined);
    if (event === 'game_end') this.#row(data, true);
    if (event === 'done') void this.#ended().then(() => say(t('match.finished')), () => undefined);
    if (event === 'live') {
      this.#live = { key: `${data.pair}.${data.game}`, spec: data.spec, moves: data.moves, players: data.players };
      this.#picture.ask();
    }
  }

  async #draw() {
    const live = this.#live;
    if (!live?.spec) return;
    /** @type {State | null} */
    const state = await post('api/state', { game: live.spec, position: null, moves: live.moves }).catch(() => null);
    if (!state || this.#live?.key !== live.key || this.#live.moves.length < live.moves.length) return;
    fill(this.board, miniBoard(state));
    this.liveText.textContent = t('match.live-text', { game: live.key, players: live.players.join(' \u2013 '), n: state.ply });
  }

  /** @param {Standing} stats */
  #standing(stats) {
    const last = this.#history.at(-1);
    if (last && stats.pairs < last.pairs) this.#history = [];
    if (!last || stats.pairs !== last.pairs) this.#history = thinned([...this.#history, stats], MOST_POINTS);
    this.progress.value = stats.of > 0 ? stats.pairs / stats.of : 0;
    this.progressText.textContent = t('match.pairs', { n: stats.pairs, of: stats.of });
    if (!stats.elo) return;
    this.#strength(stats.elo, stats.wdl);
    this.#curve.ask();
  }

  #drawCurve() {
    fill(this.chart, intervalChart(this.#history.flatMap((one) => (one.elo ? [{ pairs: one.pairs, elo: one.elo }] : [])), this.#history.at(-1)?.of ?? 0));
  }

  /**
   * @param {[number, number, number]} elo
   * @param {[number, number, number]} [wdl]
   */
  #strength(elo, wdl) {
    fill(this.elo, h('b', {}, finite(elo[1])), ` ${t('match.interval', { low: finite(elo[0]), high: finite(elo[2]) })}`, wdl ? h('span', { class: 'wdl' }, t('match.wdl', { w: wdl[0], d: wdl[1], l: wdl[2] })) : null);
  }

  /** @param {any} summary of a match */
  #table(summary) {
    const cell = (/** @type {string | number} */ text) => h('td', { class: 'number' }, String(text));
    const rows = (summary.players ?? []).map((/** @type {any} */ player) => h('tr', {}, h('th', { scope: 'row' }, player.name, h('span', { class: 'field-hint' }, ` ${player.budget}`)),
      cell(player.wdl[0]), cell(player.wdl[1]), cell(player.wdl[2]), cell(score(player.wdl)), cell(player.spending?.time_ms === null || player.spending === undefined ? '\u2013' : `${player.spending.time_ms.toFixed(1)} ms`)));
    const heads = [t('match.won'), t('match.drawn'), t('match.lost'), t('match.score'), t('match.time')];
    fill(this.standings, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('match.player')), heads.map((head) => h('th', { scope: 'col', class: 'number' }, head)))), h('tbody', {}, rows)));
    fill(this.warnings, (summary.warnings ?? []).filter((/** @type {{ kind: string }} */ warning) => this.state !== 'running' || warning.kind !== 'incomplete').map((/** @type {{ text: string }} */ warning) => h('p', { class: 'warning' }, warning.text)));
    const [pairing] = summary.pairings ?? [];
    if (summary.players?.length === 2 && pairing) {
      this.#strength(pairing.elo, pairing.wdl);
      if (this.#history.length === 0) fill(this.chart, intervalChart([{ pairs: pairing.pairs, elo: pairing.elo }], pairing.pairs));
      if (this.state !== 'running') this.progressText.textContent = t('match.pairs-done', { n: summary.pairs });
      if (this.state === 'done') this.progress.value = 1;
    }
  }

  /** @param {any} sweep */
  #sweep(sweep) {
    fill(this.chart, sweepChart(sweep));
    fill(this.elo, h('span', {}, sweep.conclusion));
    this.progress.value = sweep.of > 0 ? sweep.pairs / sweep.of : 0;
    this.progressText.textContent = t('match.pairs', { n: sweep.pairs, of: sweep.of });
    const rows = sweep.points.map((/** @type {any} */ point) => h('tr', {}, h('th', { scope: 'row' }, point.player), h('td', { class: 'number' }, String(point.pairs)),
      h('td', { class: 'number' }, interval(point.mean))));
    fill(this.standings, h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('match.player')), h('th', { scope: 'col', class: 'number' }, t('matches.pairs')), h('th', { scope: 'col', class: 'number' }, t('match.score')))), h('tbody', {}, rows)));
  }

  /** Lists the next page of games, the latest first. */
  async #list() {
    if (this.#unlisted === null) this.#unlisted = (await get(`${this.path}/games?from=${Number.MAX_SAFE_INTEGER}`)).of;
    const end = this.#unlisted ?? 0;
    const from = Math.max(0, end - PAGE);
    const data = end > 0 ? await get(`${this.path}/games?from=${from}`) : { games: [] };
    for (const game of data.games.slice(0, end - from).reverse()) this.#row(game, false);
    this.#unlisted = from;
    this.more.hidden = from === 0;
    if (this.games.children.length === 0) fill(this.games, h('p', { class: 'empty' }, t('match.no-games')));
  }

  /**
   * @param {any} game
   * @param {boolean} first whether it is added at the top of the list
   */
  #row(game, first) {
    const key = `${game.pair}.${game.game}`;
    if (this.#listed.has(key)) return;
    this.#listed.add(key);
    this.games.querySelector('.empty')?.remove();
    const open = async () => {
      try {
        const record = await get(`${this.path}/games/${key}`);
        const moves = Array.isArray(record.moves) ? record.moves : String(record.moves).split(' ').filter(Boolean);
        this.open(recordHash({ game: record.spec ?? record.game, position: record.position ?? null, moves, opening_plies: record.opening_plies }));
      } catch (err) {
        note(err instanceof Error ? err.message : t('offline'), { kind: 'error' });
      }
    };
    const winner = game.winner === 'draw' ? t('match.draw') : game.winner === 'first' ? game.players?.[0] : game.players?.[1];
    const row = h('div', { role: 'listitem', 'data-game': key }, h('button', { type: 'button', class: 'record', onclick: () => void open() },
      h('b', {}, key), h('span', {}, (game.players ?? []).join(' \u2013 ')), h('span', {}, winner ?? '')));
    if (first) this.games.prepend(row);
    else this.games.append(row);
    if (first && this.games.children.length > MOST_ROWS) this.#dropEarliest();
  }

  /** Removes the earliest game from the list; a later page contains it again. */
  #dropEarliest() {
    const row = this.games.lastElementChild;
    this.#listed.delete(row?.getAttribute('data-game') ?? '');
    row?.remove();
    this.#unlisted = (this.#unlisted ?? 0) + 1;
    this.more.hidden = false;
  }

  /** @param {'stop' | 'resume'} what */
  async #act(what) {
    try {
      await post(`${this.path}/${what}`, {});
      await this.#look();
      if (what === 'resume') void this.#watch();
    } catch (err) {
      note(err instanceof Error && err.message ? err.message : t('offline'), { kind: 'error' });
    }
  }

  leave() {
    window.clearTimeout(this.#timer);
    this.#picture.stop();
    this.#curve.stop();
    this.#abort.abort();
    setShortcuts([]);
  }
}

/** @param {number | null} elo */
function finite(elo) {
  return elo === null || !Number.isFinite(elo) ? '\u221e' : signed(elo);
}

/** @param {[number, number, number]} wdl */
function score([w, d, l]) {
  const games = w + d + l;
  return games === 0 ? '\u2013' : `${((100 * (w + d / 2)) / games).toFixed(1)} %`;
}

/** @param {(number | null)[]} mean */
function interval([low, middle, high]) {
  const text = (/** @type {number | null | undefined} */ n) => (n === null || n === undefined ? '\u2013' : n.toFixed(3));
  return `${text(middle)} (${text(low)} .. ${text(high)})`;
}
