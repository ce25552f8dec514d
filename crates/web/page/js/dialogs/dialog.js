/** A modal window: title, contents, and Escape or a click beside it to close it. */

import { h, iconButton } from '../dom.js';
import { t } from '../i18n.js';

/**
 * @param {string} title
 * @param {Element[]} contents
 * @param {{ wide?: boolean, onclose?: () => void }} [options]
 */
export function openDialog(title, contents, options = {}) {
  const dialog = h('dialog', { class: options.wide ? 'wide' : '', 'aria-label': title },
    h('header', {}, h('h2', { tabindex: '-1', autofocus: true }, title), h('div', { class: 'notes', role: 'status' }), iconButton('close', t('close'), () => dialog.close())), h('div', { class: 'dialog-body' }, contents));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    options.onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes every dialog, when the address has changed. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
}

/**
 * A labelled part of a form.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  return h('label', { class: 'field' }, h('span', { class: 'field-label' }, label), control, hint && h('span', { class: 'field-hint' }, hint));
}

/**
 * Has what is typed into a field replace what it contains.
 * @param {HTMLInputElement} input
 */
export function typedOver(input) {
  for (const event of ['focus', 'click']) input.addEventListener(event, () => input.select());
  return input;
}

/**
 * A row of choices of which one is selected.
 * @template {string} T
 * @param {string} label
 * @param {[T, string][]} choices
 * @param {T} chosen
 * @param {(choice: T) => void} choose
 */
export function choices(label, choices, chosen, choose) {
  const name = `choice-${Math.random().toString(36).slice(2)}`;
  return h('fieldset', { class: 'choices' }, h('legend', {}, label), h('div', { class: 'choice-row' }, choices.map(([value, text]) =>
    h('label', {}, h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => choose(value) }), h('span', {}, text)))));
}

/** An element that shows why the server refused a form. */
export function refusal() {
  const el = h('p', { class: 'refusal', role: 'alert', hidden: true });
  return {
    el,
    show: (/** @type {unknown} */ err) => {
      el.hidden = err === null;
      el.textContent = err === null ? '' : err instanceof Error ? err.message || t('offline') : String(err);
    },
  };
}
