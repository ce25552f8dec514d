/** Announcements for screen readers, and short visible notes. */

import { h } from './dom.js';

const region = h('div', { class: 'visually-hidden', 'aria-live': 'polite', role: 'status', id: 'announcer' });
const notes = h('div', { class: 'notes' });

/** @param {Element} parent */
export function mount(parent) {
  parent.append(region, notes);
}

/** @param {string} text */
export function say(text) {
  region.textContent = region.textContent === text ? text + '\u00a0' : text;
}

/**
 * A note that disappears by itself.
 * @param {string} text
 * @param {{ kind?: 'info' | 'error', action?: { label: string, run: () => void } }} [options]
 */
export function note(text, { kind = 'info', action } = {}) {
  if (!text) return;
  const el = h('div', { class: `note ${kind}` }, h('span', {}, text),
    action && h('button', { type: 'button', onclick: () => { action.run(); el.remove(); } }, action.label));
  notes.append(el);
  while (notes.children.length > 3) notes.firstElementChild?.remove();
  setTimeout(() => el.remove(), kind === 'error' ? 9000 : 6000);
  say(text);
}
