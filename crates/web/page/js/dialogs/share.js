/** Export of a game: link, text in several forms, drawing. */

import { fill, h } from '../dom.js';
import { post, postForText } from '../api.js';
import { t } from '../i18n.js';
import { note } from '../announce.js';
import { fileName } from '../games.js';
import { isMain, movesTo, plyOf } from '../tree.js';
import { field, openDialog, refusal } from './dialog.js';

/** @import { State, WrittenForm } from '../types.js' */
/** @import { Game } from '../game.js' */

/** Pixels of a picture for each unit of the drawing. */
const SCALE = 3;

/**
 * The game is shared as it was played, its main line; the link, the position and the pictures are of what is shown.
 * @param {Game} game
 * @param {State} state
 */
export function openShare(game, state) {
  const refused = refusal();
  const moves = movesTo(game.mainLine.at(-1) ?? game.cursor);
  const shown = movesTo(game.cursor);
  const save = (/** @type {string} */ name, /** @type {Blob} */ content) => {
    download(name, content);
    note(t('share.saved', { name }));
  };
  const picture = (/** @type {string} */ extension) => fileName(game.spec, { extension, ply: plyOf(game.cursor) });
  const attempt = async (/** @type {() => Promise<void>} */ work) => {
    refused.show(null);
    try {
      await work();
    } catch (err) {
      refused.show(err);
    }
  };
  const drawing = () => postForText('api/export/svg', { ...game.spot(), structure: false });
  const svg = async () => save(picture('svg'), new Blob([await drawing()], { type: 'image/svg+xml' }));
  const png = async () => save(picture('png'), await pixels(await drawing()));
  const copied = h('div', {});
  const files = h('div', { class: 'buttons' },
    h('button', { type: 'button', onclick: () => void attempt(svg) }, t('share.svg')),
    h('button', { type: 'button', onclick: () => void attempt(png) }, t('share.png')));
  const showForms = async () => {
    const players = game.players.map((player) => player || 'human');
    /** @type {{ forms: WrittenForm[] }} */
    const { forms } = await post('api/export/text', { game: state.game, position: game.position, moves, players });
    const textOf = (/** @type {string} */ name) => forms.find(({ form }) => form === name);
    fill(copied, textOf('transcript')?.text && copyable(t('share.transcript'), textOf('transcript')?.text ?? ''));
    for (const [name, label] of FILES) {
      const written = textOf(name);
      if (written) files.append(h('button', { type: 'button', onclick: () => save(fileName(game.spec, { extension: written.extension }), new Blob([written.text])) }, label()));
    }
  };
  openDialog(t('share.title'), [
    copyable(t('share.link'), location.href), copyable(t('share.moves'), moves.join(' ') || '\u2013'),
    ...(isMain(game.cursor) ? [] : [copyable(t('share.moves-shown'), shown.join(' '))]), copyable(t('share.position'), state.position),
    copied, files, refused.el,
  ]);
  void attempt(showForms);
}

/**
 * The forms that are saved as files.
 * @type {[string, () => string][]}
 */
const FILES = [['saved', () => t('share.save')], ['pgn', () => t('share.pgn')], ['ggf', () => t('share.ggf')], ['ccgc', () => t('share.ccgc')]];

/**
 * A drawing as a picture of pixels.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function pixels(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = h('canvas', { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t('share.no-picture')))), 'image/png'));
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
 * @param {Blob} content
 */
export function download(name, content) {
  const url = URL.createObjectURL(content);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
