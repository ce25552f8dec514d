/** Habits of the reader, kept in this browser. */

const KEY = 'banyan';

/** What can stand on the board. */
export const OVERLAYS = /** @type {const} */ (['off', 'visits', 'win', 'proven', 'structure']);

const DEFAULTS = {
  theme: /** @type {'system' | 'light' | 'dark'} */ ('system'),
  shortcuts: true,
  mirror: false,
  overlay: /** @type {typeof OVERLAYS[number]} */ ('win'),
  limit: 'time:10',
  analyst: 'best',
  /** @type {string[]} addresses of games, the latest first */
  recent: [],
};

/** @type {typeof DEFAULTS} */
export const settings = { ...DEFAULTS, ...stored() };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {Partial<typeof DEFAULTS>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser without storage forgets; nothing else is lost.
  }
}
