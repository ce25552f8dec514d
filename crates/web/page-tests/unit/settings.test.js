import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @typedef {typeof import('../../page/js/settings.js')} Settings */

/** The storage of a browser with its tabs, which are notified of each other's changes. */
class Browser {
  /** @type {Map<string, string>} */
  stored = new Map();
  /** @type {{ module: Settings, listener: (event: { key: string | null }) => void }[]} */
  tabs = [];
  /** @type {string[]} */
  written = [];

  /** @returns {Promise<Settings>} */
  async open() {
    const storage = {
      getItem: (/** @type {string} */ key) => this.stored.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
        this.written.push(key);
        this.stored.set(key, value);
      },
    };
    /** @type {(event: { key: string | null }) => void} */
    let listener = () => undefined;
    const addEventListener = (/** @type {string} */ name, /** @type {typeof listener} */ added) => { if (name === 'storage') listener = added; };
    Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
    Object.defineProperty(globalThis, 'addEventListener', { value: addEventListener, configurable: true });
    // A separate module instance for every tab.
    const module = await import(`../../page/js/settings.js?tab=${Math.random()}`);
    this.tabs.push({ module, listener: (event) => listener(event) });
    return module;
  }

  /** @param {string | null} key */
  tell(key) {
    for (const { listener } of this.tabs) listener({ key });
  }
}

const whole = (/** @type {string} */ hash) => hash;

test('a change in one tab leaves those of another', async () => {
  const browser = new Browser();
  const [one, other] = [await browser.open(), await browser.open()];
  one.change({ theme: 'dark' });
  other.change({ mirror: true });
  one.change({ limit: 'time:30' });
  assert.deepEqual(browser.written, ['banyan.theme', 'banyan.mirror', 'banyan.limit']);
  const { settings } = await browser.open();
  assert.deepEqual([settings.theme, settings.mirror, settings.limit, settings.shortcuts], ['dark', true, 'time:30', true]);
});

test('games of all tabs are recent', async () => {
  const browser = new Browser();
  const [one, other] = [await browser.open(), await browser.open()];
  one.remember('a', whole, 3);
  other.remember('b', whole, 3);
  one.remember('c', whole, 3);
  other.remember('a', whole, 3);
  other.remember('d', whole, 3);
  assert.deepEqual((await browser.open()).settings.recent, ['d', 'a', 'c']);
});

test('a tab takes over what all have in common, and keeps what it shows', async () => {
  const browser = new Browser();
  const [one, other] = [await browser.open(), await browser.open()];
  let n = 0;
  other.watch(() => { n += 1; });
  one.change({ theme: 'dark', overlay: 'visits' });
  browser.tell('banyan.theme');
  browser.tell('banyan.overlay');
  assert.deepEqual([other.settings.theme, other.settings.overlay, n], ['dark', 'win', 1]);
  browser.stored.clear();
  browser.tell(null);
  assert.deepEqual([other.settings.theme, n], ['system', 2]);
});

test('what is stored and no setting is not taken', async () => {
  const browser = new Browser();
  for (const [name, value] of [['theme', '5'], ['recent', '[1]'], ['limit', '{'], ['mirror', 'null'], ['shortcuts', 'false']]) browser.stored.set(`banyan.${name}`, value ?? '');
  const { settings } = await browser.open();
  assert.deepEqual([settings.theme, settings.recent, settings.limit, settings.mirror, settings.shortcuts], ['system', [], 'time:10', false, false]);
});
