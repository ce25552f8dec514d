/** Settings of the user, stored in this browser, each under a separate key, so that a change in one tab leaves those of another unchanged. */

const PREFIX = 'banyan.';

/** Overlays on the board. */
export const OVERLAYS = /** @type {const} */ (['off', 'visits', 'win', 'proven', 'structure']);

const DEFAULTS = {
  theme: /** @type {'system' | 'light' | 'dark'} */ ('system'),
  shortcuts: true,
  mirror: false,
  overlay: /** @type {typeof OVERLAYS[number]} */ ('win'),
  engine: false,
  limit: 'time:10',
  analyst: 'best',
  /** @type {string[]} addresses of games, the latest first */
  recent: [],
};

/** @typedef {keyof typeof DEFAULTS} Name */

const NAMES = /** @type {Name[]} */ (Object.keys(DEFAULTS));

/** Settings that other tabs change here too; the others belong to one tab. @type {Name[]} */
const COMMON = ['theme', 'shortcuts', 'recent'];

/** Whether this browser keeps them; it may refuse to. */
export const isKept = canKeep();

/** @type {typeof DEFAULTS} */
export const settings = { ...DEFAULTS };
for (const name of NAMES) read(name);

function canKeep() {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

/** @type {Set<() => void>} */
const watchers = new Set();

globalThis.addEventListener?.('storage', ({ key }) => {
  // A missing key means that all of the storage was cleared.
  const changed = COMMON.filter((name) => key === null || key === PREFIX + name);
  for (const name of changed) read(name);
  if (changed.length > 0) for (const watcher of watchers) watcher();
});

/**
 * Calls back when another tab has changed a setting.
 * @param {() => void} watcher
 */
export function watch(watcher) {
  watchers.add(watcher);
}

/**
 * Loads the stored value of a setting, unless it has another type than the setting.
 * @param {Name} name
 */
function read(name) {
  const usual = DEFAULTS[name];
  let stored;
  try {
    stored = JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    stored = null;
  }
  const fits = Array.isArray(usual) ? Array.isArray(stored) && stored.every((one) => typeof one === 'string') : typeof stored === typeof usual;
  Object.assign(settings, { [name]: fits ? stored : usual });
}

/** @param {Partial<typeof DEFAULTS>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    for (const [name, value] of Object.entries(changes)) localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without storage the change is lost when the page is closed.
  }
}

/**
 * Puts the address of a game first among the recent ones, which other tabs may have changed.
 * @param {string} hash
 * @param {(hash: string) => string} key equal for addresses of one game
 * @param {number} most maximum number of addresses kept
 */
export function remember(hash, key, most) {
  read('recent');
  change({ recent: [hash, ...settings.recent.filter((one) => key(one) !== key(hash))].slice(0, most) });
}
