/** Announcements for screen readers, and short visible notes. */

import { h, iconButton } from './dom.js';
import { t } from './i18n.js';

const region = h('div', { class: 'visually-hidden', 'aria-live': 'polite', role: 'status', id: 'announcer' });
/** The place of notes in the frame of the page, which does not move when one appears. */
export const notes = h('div', { class: 'notes' });

/** @param {Element} parent */
export function mount(parent) {
  parent.append(region);
}

/** @param {string} text */
export function say(text) {
  region.textContent = region.textContent === text ? text + '\u00a0' : text;
}

/**
 * A note that replaces the one before and disappears by itself; while a dialog is open, it stands in the title of the dialog.
 * @param {string} text
 * @param {{ kind?: 'info' | 'error', action?: { label: string, run: () => void } }} [options]
 */
export function note(text, { kind = 'info', action } = {}) {
  if (!text) return;
  const el = h('div', { class: `note ${kind}` }, h('span', {}, text),
    action && h('button', { type: 'button', onclick: () => { action.run(); el.remove(); } }, action.label),
    iconButton('close', t('close'), () => el.remove()));
  document.querySelector('.note')?.remove();
  const inDialog = document.querySelector('dialog[open] .notes');
  (inDialog ?? notes).append(el);
  setTimeout(() => el.remove(), kind === 'error' ? 9000 : 6000);
  // What lies behind a dialog is not read out: there the place of the note is a live region itself.
  if (!inDialog) say(text);
}
