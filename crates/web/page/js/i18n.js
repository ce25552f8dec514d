/** Texts of the page in the language of the user. */

import en from './i18n/en.json' with { type: 'json' };

/** @typedef {keyof typeof en} TextKey */

/** @typedef {Record<TextKey, string>} Texts */

/** Loaded on demand. @type {Record<string, () => Promise<{ default: Texts }>>} */
const OTHERS = { zh: () => import('./i18n/zh.json', { with: { type: 'json' } }) };

const wanted = choose(typeof navigator === 'undefined' ? ['en'] : navigator.languages);
// English if that fails.
const other = await OTHERS[wanted]?.().catch(() => null);
const language = other ? wanted : 'en';
/** @type {Texts} */
const texts = other?.default ?? en;
if (typeof document !== 'undefined') document.documentElement.lang = language;
const numbers = new Intl.NumberFormat(language);

/**
 * The first wanted language that has texts.
 * @param {readonly string[]} wanted
 */
function choose(wanted) {
  return wanted.map((tag) => tag.split('-')[0] ?? '').find((tag) => tag === 'en' || tag in OTHERS) ?? 'en';
}

/**
 * A text with its parameters in braces. A text with `|` has a form for one `n` and one for several.
 * @param {TextKey} key
 * @param {Record<string, string | number>} [params]
 */
export function t(key, params = {}) {
  let text = texts[key];
  if (text.includes('|') && 'n' in params) {
    const forms = text.split('|');
    text = (Number(params.n) === 1 ? forms[0] : forms[1]) ?? text;
  }
  return text.replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ''));
}

/**
 * The text of a key made of data, or another one if there is none.
 * @param {string} key
 * @param {string} other
 * @param {Record<string, string | number>} [params]
 */
export function textOr(key, other, params = {}) {
  return key in texts ? t(/** @type {TextKey} */ (key), params) : other;
}

/**
 * The text for a refusal of the server: by its code, or the server's text if the code has none.
 * @param {{ code?: string, error?: string }} refusal
 */
export function refusalText({ code = '', error = '' }) {
  return textOr(`error.${code}`, error, { detail: error });
}

/** Whether keys are worth naming: not on a phone, where the pointer is a finger. */
export const hasKeys = !(globalThis.matchMedia?.('(pointer: coarse)').matches ?? false);

/**
 * The label of a control with the key that does the same.
 * @param {string} label
 * @param {string} key
 */
export function withKey(label, key) {
  return hasKeys ? `${label} (${key})` : label;
}

/**
 * A reason of a review as a sentence: the text of its kind, or the kind itself if there is none.
 * @param {string} kind
 * @param {Record<string, string | number>} params
 */
export function reasonText(kind, params) {
  return textOr(`reason.${kind}`, kind.replaceAll('-', ' '), params);
}

/** @param {number} n */
export function whole(n) {
  return numbers.format(Math.round(n));
}

/**
 * A number in at most four characters: `1.2k`, `35M`.
 * @param {number} n
 */
export function short(n) {
  const units = /** @type {[number, string][]} */ ([[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]);
  for (const [unit, letter] of units) {
    if (n >= unit * 0.9995) return (n / unit).toPrecision(n >= unit * 99.95 ? 3 : 2).replace(/\.0$/, '') + letter;
  }
  return String(Math.round(n));
}

/**
 * A signed number, with a typographic minus sign.
 * @param {number} n
 * @param {number} [digits]
 */
export function signed(n, digits = 0) {
  const text = Math.abs(n).toFixed(digits);
  if (Number(text) === 0) return text;
  return (n < 0 ? '\u2212' : '+') + text;
}
