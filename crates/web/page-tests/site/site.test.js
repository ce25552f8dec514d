/** The page without a server, as `scripts/site` writes it to the folder in the variable `SITE`, in a real browser. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from '../browser/browser.js';
import { host } from './files.js';

/** @type {Awaited<ReturnType<typeof host>>} */
let site;
/** @type {import('playwright-core').BrowserContext} */
let browser;
/** @type {() => Promise<void>} */
let close = async () => undefined;
/** @type {import('playwright-core').Page} */
let page;
/** @type {string[]} */
const faults = [];

before(async () => {
  if (!process.env.SITE) throw new Error('SITE names no folder: run ./test --only site');
  site = await host(process.env.SITE);
  const launched = await launch({ viewport: { width: 1280, height: 860 } });
  browser = launched.context;
  close = launched.close;
  page = await browser.newPage();
  page.on('pageerror', (err) => faults.push(String(err)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
});

after(async () => {
  await close();
  await site?.stop();
});

/**
 * A tour, which must log no error.
 * @param {string} name
 * @param {() => Promise<void>} body
 */
function tour(name, body) {
  test(name, { timeout: 120_000 }, async () => {
    await body();
    assert.deepEqual(faults.splice(0), []);
  });
}

/** @param {string} hash */
async function open(hash) {
  await page.goto(`${site.url}#${hash}`);
  await page.waitForSelector('main');
}

/** @param {string} pattern of the text of the page */
async function says(pattern) {
  await page.waitForFunction((source) => new RegExp(source).test(document.body.innerText), pattern, { timeout: 60_000 });
}

async function engineOn() {
  // Before the position is there, the switch does not show yet how it was left.
  await page.waitForSelector('.turn:not(:empty)');
  const button = page.getByRole('switch').first();
  if ((await button.getAttribute('aria-checked')) !== 'true') await button.click();
}

tour('the first boards need no engine', async () => {
  await open('');
  await page.waitForFunction(() => document.querySelectorAll('.card-board svg').length === 3);
  assert.deepEqual([site.asked.filter((path) => path.includes('/api/')), page.workers().length], [[], 0]);
  assert.equal(await page.getByRole('link', { name: 'Matches' }).count(), 0, 'only a server has matches');
  await open('matches');
  await says('need the program');
});

tour('a level answers', async () => {
  await open('g=reversi:6x6&x=&o=level-1');
  await page.locator('.type-move input, input[placeholder="Type a move"]').first().fill('c2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.ply').length === 2, undefined, { timeout: 60_000 });
});

tour('a position is analysed, and another one at once', async () => {
  await open('g=connect-four&m=4.4.4.4.4.2');
  await engineOn();
  await page.waitForFunction(() => document.querySelectorAll('.candidates tbody tr, table tbody tr').length >= 7, undefined, { timeout: 60_000 });
  await open('g=reversi');
  await engineOn();
  await says('[+-]\\d');
  await open('g=connect-four:4x4');
  await engineOn();
  await says('nodes|proven|wins');
});

tour('a game is reviewed', async () => {
  await open('g=connect-four&m=4.3.4.3.4.1.4');
  await page.locator('.review').getByRole('button', { name: 'Review the game' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.ply .mark').length > 0 && document.querySelector('.review progress')?.hasAttribute('hidden') === true, undefined, { timeout: 60_000 });
});

tour('a transcript is imported, and mistakes are refused', async () => {
  await open('');
  await page.getByRole('button', { name: 'Import' }).first().click();
  await page.locator('dialog textarea').fill('hello');
  await page.locator('dialog').getByRole('button', { name: 'Open' }).first().click();
  await says('expected');
  await page.locator('dialog textarea').fill('1. f5 d6 2. c3 d3');
  await page.locator('dialog').getByRole('button', { name: 'Open' }).first().click();
  await page.waitForFunction(() => location.hash.includes('f5.d6.c3.d3'));
});

tour('without a network the page opens and analyses', async () => {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await site.stop();
  await page.goto(`${site.url}#g=connect-four&m=4.4`);
  await page.reload();
  await page.waitForSelector('.board');
  await engineOn();
  await says('nodes');
});
