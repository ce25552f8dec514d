/** List of matches and sweeps, running or finished, and forms that start new ones. */

import { fill, h, typed } from '../dom.js';
import { get, post } from '../api.js';
import { t } from '../i18n.js';
import { setShortcuts, openKeys } from '../keys.js';
import { field, choices, refusal, typedOver } from '../dialogs/dialog.js';
import { playerPicker } from '../dialogs/player-picker.js';

/** @import { About, MatchInfo } from '../types.js' */

/** Interval between two requests of the list. */
const REFRESH_MS = 3000;

export class MatchesView {
  #timer = 0;

  /**
   * @param {About} about
   * @param {(hash: string) => void} open
   */
  constructor(about, open) {
    this.about = about;
    this.open = open;
    this.list = h('div', { class: 'match-list' });
    this.form = h('section', { class: 'card match-form', 'aria-label': t('matches.new') });
    this.el = h('main', { class: 'matches', id: 'main', tabindex: '-1' }, h('header', { class: 'welcome' }, h('h1', {}, t('matches.title')), h('p', {}, t('matches.lead'))),
      h('div', { class: 'match-columns' }, this.form, h('section', { 'aria-label': t('matches.list') }, h('h2', {}, t('matches.list')), this.list)));
    setShortcuts([{ keys: ['?', 'Shift+?', 'Shift+/'], label: 'keys.help', shown: 1, run: openKeys }]);
    this.#renderForm('match');
    void this.refresh();
  }

  async refresh() {
    window.clearTimeout(this.#timer);
    try {
      /** @type {{ matches: MatchInfo[] }} */
      const { matches } = await get('api/matches');
      const focused = document.activeElement?.getAttribute('href');
      fill(this.list, matches.length === 0 ? h('p', { class: 'empty' }, t('matches.none')) : matches.map((match) => this.#row(match)));
      /** @type {HTMLElement | null} */ (focused ? this.list.querySelector(`[href="${CSS.escape(focused)}"]`) : null)?.focus();
    } catch (err) {
      fill(this.list, h('p', { class: 'empty' }, err instanceof Error && err.message ? err.message : t('offline')));
    }
    this.#timer = window.setTimeout(() => void this.refresh(), REFRESH_MS);
  }

  /** @param {MatchInfo} match */
  #row(match) {
    return h('a', { class: 'match-row', href: `#match=${encodeURIComponent(match.id)}` }, h('b', {}, match.title), stateChip(match.state),
      h('span', {}, t(/** @type {const} */ ({ match: 'matches.match', sweep: 'matches.sweep', rating: 'matches.rating', tune: 'matches.tune' })[match.kind]), match.games === null ? '' : ` · ${t('matches.games', { n: match.games })}`));
  }

  /** @param {'match' | 'sweep'} kind */
  #renderForm(kind) {
    const { about } = this;
    const game = h('select', {}, about.games.map((info) => h('option', { value: info.name }, info.title)));
    const board = h('input', { type: 'text', placeholder: t('matches.board-example'), spellcheck: 'false', autocomplete: 'off' });
    const pairs = typedOver(h('input', { type: 'number', min: 1, max: about.limits.pairs, value: kind === 'match' ? 20 : 100, inputmode: 'numeric' }));
    const budget = h('input', { type: 'text', value: 'playouts=500', spellcheck: 'false', autocomplete: 'off' });
    const vary = h('input', { type: 'text', value: 'c=0.1..1/6', spellcheck: 'false', autocomplete: 'off' });
    const openings = h('input', { type: 'text', placeholder: 'balanced', spellcheck: 'false', autocomplete: 'off' });
    const seed = typedOver(h('input', { type: 'number', min: 0, max: Number.MAX_SAFE_INTEGER, value: 1, inputmode: 'numeric' }));
    const gauntlet = h('input', { type: 'checkbox' });
    const pickers = h('div', { class: 'side-row' });
    const refused = refusal();
    /** @type {{ value: string, el: HTMLElement }[]} */
    let players = [];
    const show = (/** @type {string[]} */ chosen) => {
      const label = (/** @type {number} */ i) => (kind === 'match' ? t('matches.player', { n: i + 1 }) : t(i === 0 ? 'matches.swept' : 'matches.against'));
      players = chosen.map((one, i) => playerPicker(about, game.value, { kind: 'match', chosen: one, label: label(i) }));
      fill(pickers, players.map((player) => player.el));
      one.hidden = chosen.length <= 2;
      remove.hidden = chosen.length <= 2;
      add.hidden = kind !== 'match' || chosen.length >= about.limits.players;
    };
    const chosen = () => players.map((player) => player.value);
    const one = h('label', { class: 'check' }, gauntlet, h('span', {}, t('matches.gauntlet')));
    const add = h('button', { type: 'button', class: 'quiet', onclick: () => show([...chosen(), 'mcgs']) }, t('matches.add-player'));
    const remove = h('button', { type: 'button', class: 'quiet', onclick: () => show(chosen().slice(0, -1)) }, t('matches.remove-player'));
    const usual = kind === 'match' ? ['uct', 'greedy'] : ['uct', 'uct'];
    game.addEventListener('change', () => show(usual));
    show(usual);
    const submit = async () => {
      refused.show(null);
      const options = typed(board.value);
      const spec = options ? `${game.value}:${options}` : game.value;
      const common = { game: spec, pairs: Number(pairs.value), budget: typed(budget.value), openings: typed(openings.value), seed: Number(seed.value) };
      const names = chosen();
      try {
        const body = kind === 'match' ? { ...common, players: names, gauntlet: names.length > 2 && gauntlet.checked } : { ...common, player: names[0], against: names[1], vary: typed(vary.value) };
        const { id } = await post(kind === 'match' ? 'api/matches' : 'api/sweeps', body);
        this.open(`match=${encodeURIComponent(id)}`);
      } catch (err) {
        refused.show(err);
      }
    };
    fill(this.form, h('h2', {}, t('matches.new')), h('form', { class: 'form', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void submit(); } },
      choices(t('matches.kind'), [['match', t('matches.match')], ['sweep', t('matches.sweep')]], kind, (next) => this.#renderForm(next)),
      h('div', { class: 'size-row' }, field(t('new.game'), game), field(t('matches.board'), board)), pickers, h('div', { class: 'buttons' }, add, remove), one, kind === 'sweep' ? field(t('matches.vary'), vary, t('matches.vary-hint')) : null,
      h('div', { class: 'size-row' }, field(t('matches.pairs'), pairs, t('matches.pairs-hint')), field(t('matches.budget'), budget)),
      h('div', { class: 'size-row' }, field(t('matches.openings'), openings, t('matches.openings-hint')), field(t('matches.seed'), seed, t('matches.seed-hint'))), refused.el,
      h('footer', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, t('matches.start')))));
  }

  leave() {
    window.clearTimeout(this.#timer);
    setShortcuts([]);
  }
}

/** @param {MatchInfo['state']} state */
export function stateChip(state) {
  return h('span', { class: `state-chip ${state}` }, t(/** @type {const} */ ({ running: 'matches.running', stopped: 'matches.stopped', done: 'matches.done', reading: 'matches.reading' })[state]));
}
