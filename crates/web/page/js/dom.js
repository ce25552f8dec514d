/** Functions that create HTML and SVG elements. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Attributes; a function is a listener (`onclick`), `false`, `null` and `undefined` leave the attribute out.
 * @typedef {Record<string, unknown>} Props
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  apply(el, props);
  append(el, children);
  return el;
}

/**
 * Typed text without blanks around it, with ASCII characters for full-width ones, as East Asian keyboards write them.
 * @param {string} text
 */
export function typed(text) {
  return text.normalize('NFKC').replaceAll('\u3001', ',').replaceAll('\u3002', '.').trim();
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  const el = document.createElementNS(SVG, tag);
  apply(el, props);
  append(el, children);
  return el;
}

/**
 * @param {Element} el
 * @param {Props} props
 */
function apply(el, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') {
      el.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === 'value' && 'value' in el) {
      el.value = value;
    } else {
      el.setAttribute(name, value === true ? '' : String(value));
    }
  }
}

/**
 * @param {Element} el
 * @param {(Child | Child[])[]} children
 */
function append(el, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    el.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Replaces all children.
 * @param {Element} el
 * @param {...(Child | Child[])} children
 */
export function fill(el, ...children) {
  el.replaceChildren();
  append(el, children);
}

/**
 * A line icon of 24 by 24 units.
 * @param {string} path
 * @returns {SVGSVGElement}
 */
export function icon(path) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: path }));
}

/** Paths of the icons, drawn with round strokes. */
export const ICONS = {
  first: 'M6 5v14M18 6l-7 6 7 6',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  last: 'M18 5v14M6 6l7 6-7 6',
  undo: 'M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.8 1 1.5 1 2.5h6c0-1 .2-1.700 1-2.500A6 6 0 0 0 12 3z',
  engine: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  share: 'M12 3v12M12 3L7.500 7.500M12 3l4.500 4.500M5 13v7h14v-7',
  import: 'M12 15V3M12 15l-4.500-4.500M12 15l4.500-4.500M5 17v3h14v-3',
  keys: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M19 5l-1.400 1.400M6.400 17.600L5 19',
  edit: 'M4 20l4-1L19 8l-3-3L5 16zM14 7l3 3',
};

/**
 * A button with an icon and, unless `quiet`, no visible text: the label is its accessible name and its tooltip.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {() => void} onclick
 * @param {Props} [props]
 */
export function iconButton(name, label, onclick, props = {}) {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props }, icon(ICONS[name]));
}

/** Listeners by event name. */
export class Emitter {
  /** @type {Map<string, Set<(data?: any) => void>>} */
  #listeners = new Map();

  /**
   * @param {string} name
   * @param {(data?: any) => void} listener
   */
  on(name, listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
  }

  /**
   * @param {string} name
   * @param {any} [data]
   */
  emit(name, data) {
    for (const listener of this.#listeners.get(name) ?? []) listener(data);
  }
}
