/** Tours of the page in Chromium, wherever it comes from: a server, or a host of files with the engine in the browser. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.js';

/** @import { BrowserContext, Page } from 'playwright-core' */

/** Where the page comes from. @typedef {{ url: string, stop: () => Promise<unknown> }} Place */

const SHOTS = process.env.SHOTS;

/** @type {Place} */
export let place;
/** @type {BrowserContext} */
export let browser;
/** The page of the tour that runs. @type {Page} */
export let page;
/** Errors that this page has logged. @type {string[]} */
let faults = [];
/** Which tours run: all, or a part of them. @type {(n: number) => boolean} */
let chosen = () => true;
let n = 0;

/**
 * Begins before the tours of a file, and ends after them.
 * @param {() => Promise<Place>} start
 */
export function visit(start) {
  /** @type {() => Promise<void>} */
  let close = async () => undefined;
  before(async () => {
    place = await start();
    const launched = await launch({ viewport: { width: 1280, height: 860 } });
    browser = launched.context;
    close = launched.close;
    await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  after(async () => {
    await close();
    await place?.stop();
  });
}

/**
 * Registers tours of which only a part runs.
 * @param {(n: number) => boolean} choose by their number
 * @param {() => void} register
 */
export function some(choose, register) {
  chosen = choose;
  register();
  chosen = () => true;
}

/**
 * A test on a new page, which must log no error.
 * @param {string} name
 * @param {() => Promise<void>} body
 * @param {{ setUp?: (page: Page) => Promise<unknown> }} [options] `setUp` sees the page before it loads anything
 */
export function tour(name, body, { setUp } = {}) {
  if (!chosen(n++)) return;
  test(name, { timeout: 120_000 }, async () => {
    page = await browser.newPage();
    // As for a reader who analyses; that others are not shown values is a separate tour.
    await page.addInitScript(() => { try { localStorage.setItem('banyan.engine', 'true'); } catch { /* A tour without storage. */ } });
    await setUp?.(page);
    faults = [];
    page.on('pageerror', (err) => faults.push(String(err)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    try {
      await body();
      assert.deepEqual(faults, []);
    } catch (err) {
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `failed-${name.replace(/\W+/g, '-')}.png`) });
      throw err;
    } finally {
      await page.close();
    }
  });
}

/**
 * A tour on a telephone with an own profile.
 * @param {string} name
 * @param {(page: Page) => Promise<void>} body
 */
export function phoneTour(name, body) {
  if (!chosen(n++)) return;
  test(name, { timeout: 120_000 }, async () => {
    const phone = await launch({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    try {
      await body(await phone.context.newPage());
    } finally {
      await phone.close();
    }
  });
}

/**
 * Errors that a tour has caused are none: a browser logs every answer that refuses something.
 * @param {RegExp} pattern
 */
export function forgive(pattern) {
  faults = faults.filter((fault) => !pattern.test(fault));
}

/** @param {string} hash */
export async function open(hash) {
  await page.goto(`${place.url}#${hash}`);
  await page.waitForSelector('main');
}

/** @param {string} name */
export async function shot(name) {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

export async function hash() {
  return new URL(page.url()).hash.slice(1);
}

export async function turn() {
  // Empty until the position is loaded.
  await page.waitForSelector('.turn:not(:empty)');
  return (await page.textContent('.turn')) ?? '';
}

/** Ply of the current position. */
export async function ply() {
  return Number(/v=(\d+)/.exec(await hash())?.[1] ?? 0);
}

/**
 * Waits until a condition on the page holds.
 * @param {(argument: any) => boolean} condition
 * @param {any} [argument]
 */
export async function until(condition, argument) {
  await page.waitForFunction(condition, argument, { timeout: 60_000 });
}

/**
 * Waits until an element has a text: the page shows a position first, then the facts about it.
 * @param {string} selector
 * @param {RegExp} pattern
 */
export async function shows(selector, pattern) {
  await settled(async () => (await page.locator(selector).first().textContent({ timeout: 5_000 })) ?? '', (text) => pattern.test(text), `${selector} shows ${pattern}`);
}

/**
 * Waits until `number` elements are on the page.
 * @param {string} selector
 * @param {number} number
 */
export async function counts(selector, number) {
  await settled(() => page.locator(selector).count(), (found) => found === number, `${number} of ${selector}`);
}

/**
 * Waits until the address matches.
 * @param {RegExp} pattern
 */
export async function address(pattern) {
  await settled(hash, (text) => pattern.test(text), `the address matches ${pattern}`);
}

/**
 * Reads until a condition holds, and fails with the last value.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(value: T) => boolean} condition
 * @param {string} expected
 */
export async function settled(read, condition, expected) {
  const end = Date.now() + 20_000;
  let found = await read();
  while (!condition(found) && Date.now() < end) {
    await page.waitForTimeout(20);
    found = await read();
  }
  assert.ok(condition(found), `expected: ${expected}; found: ${found}`);
}
