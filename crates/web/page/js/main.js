/** Start of the page: the frame, and the view selected by the address. */

import { fill, h, iconButton, icon, ICONS } from './dom.js';
import { Refused, get, isServed, prepare, watchConnection, watchLoading } from './api.js';
import { hasKeys, t } from './i18n.js';
import { mount, note, notes } from './announce.js';
import { change, isKept, remember, settings, watch } from './settings.js';
import { listen, openKeys } from './keys.js';
import { fields, readGame } from './spot.js';
import { withGames } from './games.js';
import { patterns } from './board/draw.js';
import { HomeView } from './home.js';
import { PlayView } from './play.js';
import { MatchesView } from './matches/list.js';
import { MatchView } from './matches/match.js';
import { NewGameDialog } from './dialogs/new-game.js';
import { openImport } from './dialogs/import.js';
import { closeDialogs } from './dialogs/dialog.js';

/** @import { About } from './types.js' */

/** Number of recent games that are remembered. */
const RECENT = 6;

class Page {
  /** @type {HomeView | PlayView | MatchesView | MatchView | null} */
  view = null;
  /** The last address written by the page itself. */
  #written = /** @type {string | null} */ (null);

  /** @param {About} about */
  constructor(about) {
    this.about = about;
    this.frame = h('div', { class: 'frame' });
    this.loading = h('progress', { class: 'loading', hidden: true, max: 1, value: 0 });
    this.offline = h('p', { class: 'offline', role: 'alert', hidden: true }, t('offline'));
    document.getElementById('shell')?.remove();
    document.body.append(patterns(), h('a', { class: 'skip', href: '#main', onclick: skip }, t('page.skip')), this.#header(), this.loading, this.offline, this.frame);
    mount(document.body);
    watchLoading((done, trouble) => this.#loading(done, trouble));
    watchConnection((online) => { this.offline.hidden = online; });
    window.addEventListener('hashchange', () => this.#route());
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.importGame(file);
    });
    listen();
    this.#route();
    if (!isKept) note(t('storage.off'));
  }

  #header() {
    const link = (/** @type {string} */ hash, /** @type {string} */ text) => h('a', { href: `#${hash}`, class: 'nav' }, text);
    return h('header', { class: 'top' }, h('a', { href: '#', class: 'brand', 'aria-label': t('page.home') }, h('span', { class: 'brand-sign', 'aria-hidden': 'true' }), 'Banyan'),
      isServed ? h('nav', { 'aria-label': t('page.nav') }, link('matches', t('matches.nav'))) : h('span', { class: 'nav' }), notes,
      h('button', { type: 'button', class: 'with-icon', onclick: () => this.newGame() }, icon(ICONS.plus), h('span', {}, t('new.title'))),
      h('button', { type: 'button', class: 'with-icon', onclick: () => this.importGame() }, icon(ICONS.import), h('span', {}, t('import.title'))),
      hasKeys ? iconButton('keys', t('keys.title'), openKeys) : null, iconButton('sun', t('page.theme'), () => this.#theme()));
  }

  /**
   * @param {number} done the part of the engine that is loaded
   * @param {string} [trouble]
   */
  #loading(done, trouble) {
    if (trouble) note(trouble, { kind: 'error' });
    this.loading.hidden = done >= 1;
    this.loading.value = done;
    this.loading.title = t('engine.loading', { percent: Math.round(100 * done) });
    this.loading.setAttribute('aria-label', this.loading.title);
  }

  #theme() {
    const order = /** @type {const} */ (['system', 'light', 'dark']);
    const theme = order[(order.indexOf(settings.theme) + 1) % order.length] ?? 'system';
    change({ theme });
    applyTheme();
    note(t(/** @type {const} */ ({ system: 'theme.system', light: 'theme.light', dark: 'theme.dark' })[theme]));
  }

  #route() {
    const hash = location.hash.slice(1);
    if (hash === this.#written || hash === 'main') return;
    this.#written = hash;
    closeDialogs();
    const address = this.view instanceof PlayView ? readGame(hash) : null;
    if (address && this.view instanceof PlayView && this.view.visit(address)) return;
    this.view?.leave();
    this.view = this.#viewOf(hash);
    fill(this.frame, this.view.el);
    window.scrollTo(0, 0);
    if (!(this.view instanceof PlayView) && !(this.view instanceof MatchView)) document.title = 'Banyan';
    const view = this.view;
    if (view instanceof PlayView || view instanceof MatchView) view.begin().catch((err) => this.view === view && this.#fail(err));
  }

  /** @param {string} hash */
  #viewOf(hash) {
    const { about } = this;
    const open = (/** @type {string} */ next) => this.open(next);
    const match = fields(hash).get('match');
    if (!isServed && (match || hash === 'matches')) note(t('engine.no-matches'));
    else if (match) return new MatchView(decoded(match), open);
    else if (hash === 'matches') return new MatchesView(about, open);
    const game = readGame(hash);
    prepare(game?.game);
    if (game) return this.#gameView(game);
    if (hash && (isServed || (!match && hash !== 'matches'))) note(t('page.unknown-address'), { kind: 'error' });
    return new HomeView(about, { newGame: (name) => this.newGame(name), analyse: (name) => this.#analyse(name), open, importGame: () => this.importGame() });
  }

  /** @param {import('./spot.js').GameAddress} game */
  #gameView(game) {
    // A view that was left may still receive an answer, which must not change the address of another view.
    const address = (/** @type {string} */ next, /** @type {boolean} */ replaces) => { if (this.view === view) this.#address(next, replaces); };
    const view = new PlayView(this.about, game, { address, open: (next) => this.open(next), newGame: () => this.newGame(), importGame: () => this.importGame() });
    return view;
  }

  /** @param {unknown} err */
  #fail(err) {
    const text = err instanceof Error && err.message ? err.message : t('offline');
    this.view?.leave();
    this.view = null;
    fill(this.frame, h('main', { class: 'failed', id: 'main' }, h('h1', {}, t('page.failed')), h('p', {}, text), h('a', { href: '#', class: 'button primary' }, t('page.start'))));
  }

  /**
   * Sets the address of the current view, without loading it again.
   * @param {string} hash
   * @param {boolean} replaces whether it replaces the previous one in the history
   */
  #address(hash, replaces) {
    if (hash === this.#written) return;
    const grows = hash.split('&').find((part) => part.startsWith('m=')) !== (this.#written ?? '').split('&').find((part) => part.startsWith('m='));
    this.#written = hash;
    if (grows && !replaces) history.pushState(null, '', `#${hash}`);
    else history.replaceState(null, '', `#${hash}`);
    const key = (/** @type {string} */ one) => one.split('&').filter((part) => /^[gsxo]=/.test(part)).join('&') + firstMove(one);
    if (firstMove(hash)) remember(hash, key, RECENT);
  }

  /** @param {string} hash */
  open(hash) {
    this.#written = null;
    // A game that is opened begins anew, even at the address of the one that is shown.
    this.view?.leave();
    this.view = null;
    location.hash = hash;
    // Routed now rather than by the event, because the following calls are meant for the new view.
    this.#route();
  }

  /** @param {string} name */
  #analyse(name) {
    change({ engine: true });
    this.open(`g=${name}`);
  }

  /** @param {string} [name] */
  newGame(name) {
    const shown = this.view instanceof PlayView ? this.view.game : null;
    const start = name || !shown ? { game: name ?? this.about.games[0]?.name ?? '' } : { game: shown.spec, players: shown.players, budget: shown.budget };
    new NewGameDialog(this.about, start, (hash, edits) => {
      // A player switches the analysis on; the best moves are not shown before.
      change({ engine: false });
      this.open(hash);
      if (edits && this.view instanceof PlayView) this.view.editFirst();
    });
  }

  /** @param {File} [file] */
  importGame(file) {
    openImport(this.about, (hash) => this.open(hash), file);
  }
}

/** @param {string} hash */
function firstMove(hash) {
  return /(?:^|&)m=([^.(&]+)/.exec(hash)?.[1] ?? '';
}

/**
 * Decodes a text of the address; returns it unchanged if it was cut within a character.
 * @param {string} text
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function applyTheme() {
  if (settings.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
}

applyTheme();
watch(applyTheme);
try {
  /** @type {About} */
  new Page(withGames(await get('api/about')));
} catch (err) {
  const text = err instanceof Refused && err.message ? err.message : t(isServed ? 'offline' : 'engine.not-loaded');
  fill(document.body, h('main', { class: 'failed' }, h('h1', {}, t('page.failed')), h('p', {}, text), h('button', { type: 'button', class: 'primary', onclick: () => location.reload() }, t('page.reload'))));
}
