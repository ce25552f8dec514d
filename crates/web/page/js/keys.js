/** The keys of the page, and the list that `?` shows. */

import { h } from './dom.js';
import { t } from './i18n.js';
import { change, settings } from './settings.js';
import { openDialog } from './dialogs/dialog.js';

/** @import { TextKey } from './i18n.js' */

/**
 * A keyboard shortcut. `Ctrl+` stands for Control or Command.
 * @typedef {object} Shortcut
 * @property {string[]} keys
 * @property {TextKey} label
 * @property {number} [shown] number of keys that the list shows, by default 2
 * @property {(key: string) => void} run
 */

/** @type {Shortcut[]} */
let shortcuts = [];

/** @param {Shortcut[]} list */
export function setShortcuts(list) {
  shortcuts = list;
}

/** @param {KeyboardEvent} event */
export function nameOf(event) {
  const held = (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + (event.altKey ? 'Alt+' : '');
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit && event.shiftKey) return `${held}Shift+${digit[1]}`;
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key : event.key;
  if (key.length === 1 && /[a-z]/i.test(key)) return held + (event.shiftKey ? 'Shift+' : '') + key.toLowerCase();
  return held + (event.shiftKey && key.length > 1 ? 'Shift+' : '') + key;
}

/** Listens on the whole page, except in text fields and while a dialog is open. */
export function listen() {
  document.addEventListener('keydown', (event) => {
    const name = nameOf(event);
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (target?.matches('input, textarea, select, [contenteditable]')) return;
    const pressed = target?.matches('button, a, summary, [role=button]') && (name === 'Space' || name === 'Enter');
    const single = name.length === 1 || name.startsWith('Shift+');
    if (pressed || (single && !settings.shortcuts && name !== '?')) return;
    if (name.startsWith('Arrow') && target?.closest('.graph-scroller')) return;
    const shortcut = shortcuts.find((one) => one.keys.includes(name));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(name);
  });
}

const SYMBOLS = /** @type {Record<string, string>} */ ({ ArrowLeft: '\u2190', ArrowRight: '\u2192', ArrowUp: '\u2191', ArrowDown: '\u2193', Escape: 'Esc' });

/** @param {string} key */
function symbol(key) {
  return key.split('+').map((part) => SYMBOLS[part] ?? part).join('+');
}

export function openKeys() {
  const shown = shortcuts.filter((one, i) => shortcuts.findIndex((other) => other.label === one.label) === i);
  const rows = shown.map((one) => h('tr', {}, h('td', {}, one.keys.slice(0, one.shown ?? 2).map((key) => [h('kbd', {}, symbol(key)), ' ']).flat()), h('td', {}, t(one.label))));
  const single = h('input', { type: 'checkbox', checked: settings.shortcuts, onchange: () => change({ shortcuts: single.checked }) });
  openDialog(t('keys.title'), [
    h('table', { class: 'keys' }, h('tbody', {}, rows)), h('p', { class: 'field-hint' }, t('keys.board')), h('label', { class: 'check' }, single, h('span', {}, t('keys.single')))]);
}
