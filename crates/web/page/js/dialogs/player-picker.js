/** Choice of a player: a human, a level, a preset with settings, or an engine. */

import { fill, h, typed } from '../dom.js';
import { gameOf } from '../games.js';
import { t } from '../i18n.js';
import { field, openDialog } from './dialog.js';

/** @import { About, Player, Setting } from '../types.js' */

/** The role of the chosen player: a side of a game, a player of a match, or the analysing player. @typedef {'side' | 'match' | 'analyst'} PlayerKind */

/** Players that have no search to show. */
const NO_ANALYST = ['human', 'random', 'greedy'];

/**
 * Names of players as options, in groups.
 * @param {About} about
 * @param {string} game
 * @param {{ kind: PlayerKind, chosen: string }} options
 */
export function playerOptions(about, game, { kind, chosen }) {
  const family = gameOf(game);
  const levels = about.levels.filter((level) => level.game === family?.name);
  const option = (/** @type {string} */ value, /** @type {string} */ text) => h('option', { value, selected: value === chosen }, text);
  const group = (/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ options) => (options.length > 0 ? h('optgroup', { label }, options) : null);
  const own = (family?.players ?? []).filter((one) => kind !== 'analyst' || !NO_ANALYST.includes(one.name));
  const presets = (/** @type {boolean} */ published) => own.filter((one) => one.published === published).map(({ name }) => {
    const sentence = sentenceOf(about.players.find((player) => player.player === name)?.summary ?? '');
    return option(name, sentence ? `${name} \u2013 ${sentence}` : name);
  });
  return [
    kind === 'side' ? option('', t('player.human')) : null,
    group(t('player.levels'), kind !== 'analyst' ? levels.map((level) => option(level.name, `${levelName(level.name)}${level.fact ? ' \u2013 ' + level.fact : ''}`)) : []),
    group(t('player.presets'), presets(false)),
    group(t('player.engines'), about.engines.map((engine) => option(engine.name, `${engine.name} \u2013 ${engine.protocol}`))),
    group(t('player.published'), presets(true)),
  ];
}

/**
 * The first sentence of a description, or its part before a semicolon.
 * @param {string} summary
 */
export function sentenceOf(summary) {
  return summary.split(/\. |; /)[0] ?? '';
}

/**
 * `Level 4` for `level-4`.
 * @param {string} name
 */
export function levelName(name) {
  const level = /^level-(\d+)$/.exec(name);
  return level ? t('player.level', { n: level[1] ?? '' }) : name;
}

/**
 * Display name of a player.
 * @param {string} player
 */
export function playerName(player) {
  return player === '' || player === 'human' ? t('player.human') : levelName(player);
}

/**
 * A select with the settings of the chosen player below it.
 * @param {About} about
 * @param {string} game
 * @param {{ kind: PlayerKind, chosen: string, label: string }} options
 */
export function playerPicker(about, game, { kind, chosen, label }) {
  const [name = '', ...given] = chosen.split(':');
  const select = h('select', {}, playerOptions(about, game, { kind, chosen: name }));
  const settings = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: t('player.settings-example'), value: given.join(':') });
  const table = h('div', { class: 'setting-list' });
  const details = h('details', { class: 'player-settings' }, h('summary', {}, t('player.settings')), field(t('player.settings-text'), settings), table);
  const summary = h('span', { class: 'field-hint' });
  const show = () => {
    const player = about.players.find((one) => one.player === select.value) ?? about.players.find((one) => select.value === 'best' && one.player === gameOf(game)?.best);
    summary.textContent = player?.levels?.length ? '' : player?.summary ?? '';
    details.hidden = !player || player.settings.length === 0;
    fill(table, player ? settingRows(player, settings) : null);
  };
  select.addEventListener('change', () => {
    settings.value = '';
    show();
  });
  if (given.length > 0) details.open = true;
  show();
  const el = h('div', { class: 'picker' }, field(label, select), summary, details);
  return { el, get value() { return settings.value.trim() && !details.hidden ? `${select.value}:${typed(settings.value)}` : select.value; } };
}

/**
 * The settings of a player; a click writes one into the text.
 * @param {Player} player
 * @param {HTMLInputElement} input
 */
function settingRows(player, input) {
  const insert = (/** @type {Setting} */ setting) => {
    const text = `${setting.name}=${setting.default}`;
    input.value = input.value.trim() ? `${input.value.trim()},${text}` : text;
    input.focus();
  };
  return player.settings.filter((setting) => !setting.experimental).map((setting) => h('button', { type: 'button', class: 'setting', onclick: () => insert(setting), title: setting.source },
    h('code', {}, `${setting.name}=${setting.default}`), ' ', h('span', {}, setting.help)));
}

/**
 * Opens a dialog to choose the analysing player.
 * @param {About} about
 * @param {string} game
 * @param {string} chosen
 * @returns {Promise<string | null>}
 */
export function pickAnalyst(about, game, chosen) {
  return new Promise((resolve) => {
    const picker = playerPicker(about, game, { kind: 'analyst', chosen, label: t('engine.player') });
    let picked = /** @type {string | null} */ (null);
    const form = h('form', { method: 'dialog', class: 'form', onsubmit: () => { picked = picker.value; } }, picker.el,
      h('footer', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, t('apply'))));
    openDialog(t('engine.player'), [form], { onclose: () => resolve(picked) });
  });
}
