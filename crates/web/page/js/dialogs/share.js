/** Export of a game: link, text, drawing. */

import { h } from '../dom.js';
import { postForText } from '../api.js';
import { t } from '../i18n.js';
import { note } from '../announce.js';
import { movesTo } from '../tree.js';
import { field, openDialog, refusal } from './dialog.js';

/** @import { State } from '../types.js' */
/** @import { Game } from '../game.js' */

/**
 * @param {Game} game
 * @param {State} state
 */
export function openShare(game, state) {
  const refused = refusal();
  const end = game.line.at(-1) ?? game.cursor;
  const moves = movesTo(end).join(' ');
  const saved = JSON.stringify({ v: 1, game: state.game, position: game.position, players: game.players.map((player) => player || 'human'), moves: movesTo(end), result: null });
  const svg = async () => {
    try {
      download('board.svg', await postForText('api/export/svg', { ...game.spot(), structure: false }), 'image/svg+xml');
    } catch (err) {
      refused.show(err);
    }
  };
  openDialog(t('share.title'), [
    copyable(t('share.link'), location.href), copyable(t('share.moves'), moves || '\u2013'), copyable(t('share.position'), state.position),
    h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => void svg() }, t('share.svg')),
      h('button', { type: 'button', onclick: () => download('game.json', saved, 'application/json') }, t('share.save'))), refused.el,
  ]);
}

/**
 * @param {string} label
 * @param {string} text
 */
function copyable(label, text) {
  const input = h('input', { type: 'text', readonly: true, value: text, onfocus: () => input.select() });
  const hint = h('p', { class: 'field-hint', role: 'status' });
  const copy = async () => {
    try {
      // Browsers have no clipboard for a page loaded by plain HTTP from another machine.
      await navigator.clipboard.writeText(text);
      note(t('share.copied'));
    } catch {
      input.focus();
      input.select();
      hint.textContent = t('share.copy-by-hand');
    }
  };
  return h('div', {}, h('div', { class: 'copyable' }, field(label, input), h('button', { type: 'button', onclick: () => void copy() }, t('share.copy'))), hint);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
