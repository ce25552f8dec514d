/** Import of recorded games and positions, pasted or from a file. */

import { fill, h } from '../dom.js';
import { post } from '../api.js';
import { t } from '../i18n.js';
import { Tree } from '../tree.js';
import { writeGame } from '../spot.js';
import { field, openDialog, refusal } from './dialog.js';

/** @import { About, ImportedRecord } from '../types.js' */

/** Maximum number of records in the list. */
const SHOWN = 200;

/**
 * @param {About} about
 * @param {(hash: string) => void} open
 * @param {File} [dropped]
 */
export function openImport(about, open, dropped) {
  const refused = refusal();
  const text = h('textarea', { rows: 6, spellcheck: 'false', placeholder: t('import.example') });
  const file = h('input', { type: 'file' });
  const game = h('select', {}, h('option', { value: '' }, t('import.any')), about.games.map((one) => h('option', { value: one.name }, one.title)));
  const list = h('div', { class: 'record-list', role: 'list' });
  const send = async (/** @type {object} */ body) => {
    refused.show(null);
    fill(list);
    try {
      /** @type {{ records: ImportedRecord[] }} */
      const { records } = await post('api/import', { ...body, ...(game.value ? { game: game.value } : {}) });
      const take = (/** @type {ImportedRecord} */ record) => {
        dialog.close();
        // An address also has variations, players and time.
        open(record.link ?? recordHash(record));
      };
      const [only] = records;
      if (records.length === 1 && only?.broken) {
        refused.show(new Error(only.broken));
        const n = only.moves.length;
        fill(list, n > 0 && h('div', { role: 'listitem' }, h('button', { type: 'button', onclick: () => take(only) }, t('import.before', { n }))));
      } else if (records.length === 1 && only) take(only);
      else fill(list, h('p', {}, t('import.found', { n: records.length })), records.slice(0, SHOWN).map((record) =>
        h('div', { role: 'listitem' }, h('button', { type: 'button', class: 'record', onclick: () => take(record) }, h('b', {}, record.title), h('span', {}, t('import.moves', { n: record.moves.length })), record.broken && h('span', {}, record.broken)))));
    } catch (err) {
      refused.show(err);
    }
  };
  const read = async (/** @type {File} */ one) => {
    const bytes = new Uint8Array(await one.arrayBuffer());
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    await send({ base64: btoa(binary), name: one.name });
  };
  file.addEventListener('change', () => file.files?.[0] && void read(file.files[0]));
  const form = h('form', { class: 'form', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void send({ text: text.value, name: 'pasted' }); } },
    h('p', { class: 'field-hint' }, t('import.forms')), field(t('import.text'), text), field(t('import.file'), file), field(t('import.game'), game), refused.el, list,
    h('footer', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, t('import.open'))));
  const dialog = openDialog(t('import.title'), [form]);
  text.focus();
  if (dropped) void read(dropped);
}

/**
 * The address of a recorded game, at its last position.
 * @param {{ game: string, position?: string | null, moves: string[], opening_plies?: number }} record
 */
export function recordHash(record) {
  const tree = new Tree();
  const cursor = tree.addLine(tree.root, record.moves);
  return writeGame({ game: record.game, position: record.position ?? null, tree, cursor, players: ['', ''], budget: '', opening: record.opening_plies ?? 0 });
}
