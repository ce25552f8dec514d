/**
 * What may be missing or broken where the page without a server is opened: each is named in one sentence, the board that is known without the
 * engine stays, and what is repaired works without loading the page again.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { findings } from '../common/checks.js';
import { launch } from '../common/browser.js';
import { host } from './files.js';

/** @import { Page } from 'playwright-core' */

/** @type {Record<string, string>} */
const TEXTS = JSON.parse(readFileSync(new URL('../../page/js/i18n/en.json', import.meta.url), 'utf8'));
const MODULE = 'engine/banyan_wasm_bg.wasm';
const GLUE = 'engine/banyan_wasm.js';

/** @type {Awaited<ReturnType<typeof host>>} */
let site;
/** @type {Awaited<ReturnType<typeof launch>>} */
let browser;

before(async () => {
  site = await host(process.env.SITE);
  browser = await launch({ viewport: { width: 1280, height: 860 }, serviceWorkers: 'block' });
});

after(async () => {
  await browser?.close();
  await site?.stop();
});

/**
 * A test on a new page, in which no error may be thrown. A browser logs files that are missing or damaged, so that logs are not looked at.
 * @param {string} name
 * @param {(page: Page) => Promise<unknown>} body
 * @param {{ flags?: string[], setUp?: () => void }} [options] `setUp` runs in the page before anything else; `flags` of a separate browser
 */
function mistake(name, body, { flags, setUp } = {}) {
  test(name, { timeout: 120_000 }, async () => {
    const own = flags ? await launch({ viewport: { width: 1280, height: 860 }, serviceWorkers: 'block', flags }) : null;
    const page = await (own ?? browser).context.newPage();
    /** @type {string[]} */
    const thrown = [];
    page.on('pageerror', (err) => thrown.push(String(err)));
    // What the test before has left on stays off.
    await page.addInitScript(() => { try { localStorage.clear(); } catch { /* A browser that keeps nothing. */ } });
    if (setUp) await page.addInitScript(setUp);
    try {
      await body(page);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wrong-use-${name.replace(/\W+/g, '-')}.png` });
      assert.deepEqual(thrown, []);
    } finally {
      site.changes.clear();
      await page.close();
      await own?.close();
    }
  });
}

/**
 * @param {Page} page
 * @param {string} hash
 */
async function open(page, hash) {
  await page.goto(`${site.url}#${hash}`);
  await page.waitForSelector('svg.board');
}

/**
 * Makes a move that is not known without the engine: it is refused with a text, and the board stays as it was.
 * @param {Page} page
 * @param {string} text
 */
async function refused(page, text) {
  await page.waitForSelector('.board-frame.playable');
  await page.keyboard.press('4');
  await page.waitForFunction((expected) => document.querySelector('.remark.error')?.textContent === expected, text, { timeout: 60_000 });
  assert.deepEqual([await page.locator('.board-drop').count(), await page.locator('.stone').count(), await page.locator('.board-frame.playable').count()], [1, 0, 1]);
  assert.match(page.url(), /#g=connect-four$/);
  assert.deepEqual(await findings(page), []);
}

/** Makes that move. @param {Page} page */
async function played(page) {
  await page.keyboard.press('4');
  await page.waitForFunction(() => /m=4/.test(location.hash) && document.querySelectorAll('.stone').length === 1, undefined, { timeout: 60_000 });
}

/** @param {string} text of the refusal @param {{ [file: string]: import('./files.js').Change }} changes of the files on the host, which are then undone */
const broken = (text, changes) => async (/** @type {Page} */ page) => {
  for (const [file, change] of Object.entries(changes)) site.changes.set(file, change);
  await open(page, 'g=connect-four');
  await refused(page, TEXTS[text] ?? '');
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wrong-use-${text}.png` });
  site.changes.clear();
  await played(page);
};

mistake('a browser without vectors in WebAssembly', async (page) => {
  await open(page, 'g=connect-four');
  await refused(page, TEXTS['engine.no-simd'] ?? '');
}, { setUp: () => { WebAssembly.validate = () => false; } });

mistake('a browser without WebAssembly, on the start page and beyond', async (page) => {
  await page.goto(site.url);
  await page.waitForFunction(() => document.querySelectorAll('.card-board svg').length === 3);
  await open(page, 'g=connect-four');
  await refused(page, TEXTS['engine.no-simd'] ?? '');
}, { setUp: () => { Reflect.deleteProperty(globalThis, 'WebAssembly'); } });

mistake('a module that is missing', broken('engine.not-loaded', { [MODULE]: () => null }));
mistake('a module that was cut off', broken('engine.damaged', { [MODULE]: (bytes) => bytes.subarray(0, bytes.length >> 1) }));
mistake('a module that is a page of the host', broken('engine.damaged', { [MODULE]: () => Buffer.from('<!DOCTYPE html><title>Not found</title>') }));
mistake('glue that is missing', broken('engine.not-loaded', { [GLUE]: () => null }));
mistake('glue of another version', broken('engine.mixed', { [GLUE]: (bytes) => Buffer.from(bytes.toString().replaceAll(/(__wbg_\w+?)_[0-9a-f]{16}/g, '$1_0123456789abcdef')) }));
mistake('a worker that is missing', broken('engine.not-loaded', { 'js/transport/engine.js': () => null }));

// 16 pages of 64 KiB: less than the module begins with.
mistake('a browser that gives no memory', async (page) => {
  await open(page, 'g=connect-four');
  await refused(page, TEXTS['engine.no-memory'] ?? '');
}, { flags: ['--js-flags=--wasm-max-mem-pages=16'] });

// Enough to answer, too little for a search.
mistake('a browser that gives little memory', async (page) => {
  await open(page, 'g=connect-four');
  await played(page);
  await page.getByRole('switch').first().click();
  await page.waitForFunction((text) => document.querySelector('.status.error')?.textContent === text, TEXTS['engine.stopped'], { timeout: 60_000 });
  await page.keyboard.press('3');
  await page.waitForFunction(() => document.querySelectorAll('.stone').length === 2);
}, { flags: ['--js-flags=--wasm-max-mem-pages=160'] });

mistake('weights that are missing, then damaged, then there', async (page) => {
  const weights = 'engine/reversi-patterns.weights';
  site.changes.set(weights, () => null);
  await open(page, 'g=reversi');
  await page.getByRole('switch').first().click();
  const says = (/** @type {RegExp} */ pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.status.error')?.textContent ?? ''), pattern.source, { timeout: 60_000 });
  await says(/^The engine could not be loaded/);
  // The rules need no weights.
  await page.getByLabel('Type a move').fill('f5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /m=f5/.test(location.hash));
  site.changes.set(weights, (bytes) => Buffer.from(bytes.map((byte, i) => (i === 5000 ? byte ^ 255 : byte))));
  await page.keyboard.press('l');
  await page.keyboard.press('l');
  await says(/reversi-patterns\.weights/);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wrong-use-weights-damaged.png` });
  site.changes.clear();
  await page.keyboard.press('l');
  await page.keyboard.press('l');
  await page.waitForSelector('.candidates tbody tr', { timeout: 60_000 });
});

mistake('first answers that are missing, and then the engine too', async (page) => {
  site.changes.set('engine/answers.json', () => null);
  await open(page, 'g=connect-four');
  await played(page);
  site.changes.set(MODULE, () => null);
  await page.goto('about:blank');
  await page.goto(site.url);
  await page.waitForFunction((text) => document.querySelector('main.failed p')?.textContent === text, TEXTS['engine.not-loaded']);
  assert.deepEqual(await findings(page), []);
});

mistake('a browser that keeps nothing', async (page) => {
  await open(page, 'g=connect-four');
  await page.waitForFunction((text) => document.querySelector('.note')?.textContent?.includes(text ?? ''), TEXTS['storage.off']);
  assert.deepEqual(await findings(page), []);
  await played(page);
  await page.getByRole('switch').first().click();
  await page.waitForSelector('.candidates tbody tr', { timeout: 60_000 });
}, {
  setUp: () => {
    const refuse = { configurable: true, get: () => { throw new DOMException('The operation is insecure.', 'SecurityError'); } };
    for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB']) Object.defineProperty(window, name, refuse);
    Object.defineProperty(Navigator.prototype, 'serviceWorker', refuse);
  },
});

mistake('a network that is lost before the engine is loaded', async (page) => {
  await page.route('**/*.wasm', (route) => route.abort('internetdisconnected'));
  await open(page, 'g=connect-four');
  await refused(page, TEXTS['engine.not-loaded'] ?? '');
  await page.unrouteAll();
  await played(page);
});

/** The positions that the analysis has evaluated. @param {Page} page */
const nodes = (page) => page.waitForFunction(() => document.querySelector('.stats')?.textContent ?? '').then((text) => text.jsonValue());

// The timers of a tab in the background run once in a second.
mistake('a tab in the background: the search goes on, moves are answered, and what is told is done', async (page) => {
  await open(page, 'g=connect-four&m=4.4');
  await page.getByRole('switch').first().click();
  await page.waitForSelector('.candidates tbody tr', { timeout: 60_000 });
  const before = await nodes(page);
  await page.waitForFunction((was) => document.querySelector('.stats')?.textContent !== was, before, { timeout: 60_000 });
  await page.getByRole('switch').first().click();
  await page.waitForSelector('.switch[aria-checked="false"]');
  await open(page, 'g=connect-four&o=level-1&b=50ms');
  await page.waitForSelector('.board-frame.playable');
  await page.keyboard.press('4');
  await page.waitForFunction(() => document.querySelectorAll('.ply').length === 2, undefined, { timeout: 60_000 });
}, {
  setUp: () => {
    for (const name of /** @type {const} */ (['setTimeout', 'setInterval'])) {
      const usual = /** @type {(...values: any[]) => number} */ (globalThis[name]);
      Object.assign(globalThis, { [name]: (/** @type {any} */ run, /** @type {number} */ ms = 0, /** @type {any[]} */ ...values) => usual(run, Math.max(1000, ms), ...values) });
    }
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  },
});

mistake('a tab that is frozen and comes back goes on', async (page) => {
  await open(page, 'g=connect-four&m=4.4');
  await page.getByRole('switch').first().click();
  await page.waitForSelector('.candidates tbody tr', { timeout: 60_000 });
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await page.keyboard.press('5');
  await page.waitForFunction(() => /m=4\.4\.5/.test(location.hash));
  await page.waitForSelector('.candidates tbody tr', { timeout: 60_000 });
});
