/** Terms with an explanation: a tooltip under a mouse, and a sentence nearby after a click or a tap. */

import { h } from './dom.js';

/**
 * A place that shows the explanation of the term that was chosen last.
 */
export function explanation() {
  return h('p', { class: 'explanation', role: 'status', hidden: true });
}

/**
 * A term as a button; a second click hides its explanation again.
 * @param {string} label
 * @param {string} meaning
 * @param {HTMLElement} place
 */
export function term(label, meaning, place) {
  const explain = () => {
    place.hidden = !place.hidden && place.textContent === meaning;
    place.textContent = meaning;
  };
  return h('button', { type: 'button', class: 'term', title: meaning, onclick: explain }, label);
}
