/** The start page: the games, the recent games, and the other functions. */

import { fill, h } from './dom.js';
import { isServed, post } from './api.js';
import { hasKeys, t } from './i18n.js';
import { titleOf } from './games.js';
import { readGame } from './spot.js';
import { settings } from './settings.js';
import { setShortcuts, openKeys } from './keys.js';
import { miniBoard } from './board/mini.js';
import { playerName } from './dialogs/player-picker.js';
import { movesTo } from './tree.js';

/** @import { About, GameInfo, State } from './types.js' */

export class HomeView {
  /**
   * @param {About} about
   * @param {{ newGame: (game: string) => void, analyse: (game: string) => void, open: (hash: string) => void, importGame: () => void }} page
   */
  constructor(about, page) {
    this.about = about;
    this.page = page;
    const recent = h('section', { class: 'recent', hidden: settings.recent.length === 0 }, h('h2', {}, t('home.recent')), h('div', { class: 'recent-list' }, settings.recent.slice(0, 4).map((hash) => this.#recent(hash))));
    this.el = h('main', { class: 'home', id: 'main', tabindex: '-1' },
      h('header', { class: 'welcome' }, h('h1', {}, t('home.title')), h('p', {}, t(isServed ? 'home.lead' : 'engine.lead'))),
      h('div', { class: 'game-cards' }, about.games.map((info) => this.#card(info))), recent,
      h('section', { class: 'ways' }, this.#way(t('home.import'), t('home.import-text'), () => page.importGame()), isServed ? this.#way(t('home.matches'), t('home.matches-text'), () => page.open('matches')) : null,
        hasKeys ? this.#way(t('home.keys'), t('home.keys-text'), openKeys) : null));
    setShortcuts([
      { keys: ['g'], label: 'keys.new', run: () => page.newGame(about.games[0]?.name ?? '') }, { keys: ['i'], label: 'keys.import', run: () => page.importGame() },
      { keys: ['?', 'Shift+?', 'Shift+/'], label: 'keys.help', shown: 1, run: openKeys }]);
  }

  /** @param {GameInfo} info */
  #card(info) {
    // As the button below, for those who tap the picture.
    const picture = h('div', { class: 'card-board', onclick: () => this.page.newGame(info.name) });
    const request = (/** @type {string[]} */ moves) => post('api/state', { game: info.name, position: null, moves });
    void request(info.sample).catch(() => request([])).then((/** @type {State} */ state) => fill(picture, miniBoard(state)), () => undefined);
    return h('article', { class: 'card game-card' }, picture, h('h2', {}, info.title), h('p', {}, (info.rules || info.summary).split('\n')[0]),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', onclick: () => this.page.newGame(info.name) }, t('home.play')),
        h('button', { type: 'button', onclick: () => this.page.analyse(info.name) }, t('home.analyse'))));
  }

  /**
   * @param {string} title
   * @param {string} text
   * @param {() => void} onclick
   */
  #way(title, text, onclick) {
    return h('button', { type: 'button', class: 'way', onclick }, h('b', {}, title), h('span', {}, text));
  }

  /** @param {string} hash */
  #recent(hash) {
    const address = readGame(hash);
    if (!address) return null;
    return h('a', { href: `#${hash}`, class: 'recent-game' }, h('b', {}, titleOf(address.game)),
      h('span', {}, `${address.players.map(playerName).join(' \u2013 ')} · ${t('import.moves', { n: movesTo(address.cursor).length })}`));
  }

  leave() {
    setShortcuts([]);
  }
}
