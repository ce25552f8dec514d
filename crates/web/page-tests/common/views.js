/**
 * Views and dialogs of the page in Chromium at two sizes, in both themes and both languages: accessibility by axe, nothing that sticks out
 * or covers a control, contrast. Each view is visited once, in a mixed choice; with BANYAN_DEEP=1 in every combination.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch } from './browser.js';
import { findings, watchHeadings } from './checks.js';

/** @import { Page } from 'playwright-core' */
/** @import { Place } from './tour.js' */

/** @typedef {Record<string, { at: string, act?: (page: Page) => Promise<unknown> }>} Views */

const SIZES = { wide: { viewport: { width: 1280, height: 800 } }, phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };
const LANGUAGES = /** @type {const} */ (['en', 'zh']);
/** Every size and theme in one language, and then in the other; neighbours have different languages. */
const LOOKS = /** @type {const} */ ([
  ['wide', 'light', 'en'], ['phone', 'dark', 'zh'], ['wide', 'dark', 'en'], ['phone', 'light', 'zh'],
  ['wide', 'light', 'zh'], ['phone', 'dark', 'en'], ['wide', 'dark', 'zh'], ['phone', 'light', 'en'],
]);

/** The texts of the page in each language. @type {Record<string, Record<string, string>>} */
const TEXTS = Object.fromEntries(LANGUAGES.map((language) => [language, JSON.parse(readFileSync(new URL(`../../../texts/src/${language}.json`, import.meta.url), 'utf8'))]));

/** @type {Place} */
let place;
/** @type {Map<string, Awaited<ReturnType<typeof launch>>>} */
const browsers = new Map();

/** A text of the page in its language. @param {Page} page @param {string} key */
export const text = async (page, key) => TEXTS[await page.evaluate(() => document.documentElement.lang)]?.[key] ?? assert.fail(`no text ${key}`);
/** Presses the button with a text, or of which it is a part. @param {string} key */
const press = (key, exact = true) => async (/** @type {Page} */ page) => page.getByRole('button', { name: await text(page, key), exact }).first().click();
/** @param {string} selector */
export const shown = (selector) => (/** @type {Page} */ page) => page.waitForSelector(selector, { state: 'attached' });
/** @param {...((page: Page) => Promise<unknown>)} acts */
export const each = (...acts) => async (/** @type {Page} */ page) => { for (const act of acts) await act(page); };
const analysed = shown('.overlay');
const dialog = shown('dialog[open]');
/** An opponent, so that no analysis runs where a person is to move. */
export const QUIET = '&o=random';
const GAMES = '4453\n44531\n';

/** @param {number} n */
const newGame = (n) => async (/** @type {Page} */ page) => {
  await page.locator('.game-card').nth(n).locator('.primary').click();
  await page.waitForSelector('dialog :is(.hole-cell, .mini)');
};

/** The views of every page. @type {Views} */
export const VIEWS = {
  'start page': { at: '', act: shown('.game-card:nth-child(3) svg.board') },
  'stones that fall, analysed': { at: 'g=connect-four&m=4.4.4', act: analysed },
  'discs, analysed': { at: 'g=reversi&m=f5.d6.c3', act: analysed },
  'dots, analysed': { at: 'g=dots-and-boxes&m=h0,0.v0,0', act: analysed },
  'large drop board': { at: 'g=connect-four:15x16&m=4', act: analysed },
  'large board of dots': { at: 'g=dots-and-boxes:9x9&m=h0,0', act: analysed },
  'visits on the board': { at: 'g=reversi&m=f5.d6&d=visits', act: analysed },
  'structure, with an explanation': {
    at: 'g=dots-and-boxes:3x3&m=h0,0.h1,0.h2,0.h3,0.h0,1.h1,1&d=structure',
    act: async (page) => page.locator('.facts .term').nth(1).click(),
  },
  'explained column': { at: 'g=reversi&m=f5', act: each(analysed, async (page) => page.locator('.candidates .term').nth(1).click()) },
  'clock and engine': { at: 'g=connect-four&m=4.3.4&v=1&o=random&b=5m/game%2Binc=2s', act: shown('.clock') },
  'end of a game': { at: 'g=connect-four&m=4.3.4.3.4.3.4', act: shown('.after:not([hidden])') },
  'end of a game of discs': { at: 'g=reversi:4x4&m=b1.a1.a2.c1.d1.a3.a4.d2.d3.b4.c4.d4', act: shown('.stone') },
  'variations': { at: `g=reversi&m=f5.d6(f6.e6).c3.d3.c4(b4.e3).f4&v=5${QUIET}`, act: shown('.variation .ply') },
  'hint': { at: `g=connect-four&m=4.3.4.3.4.3${QUIET}&v=5`, act: each((page) => page.locator('.controls button').nth(5).click(), shown('.ghost-move')) },
  'refused move': {
    at: `g=reversi&v=0${QUIET}`,
    act: each(shown('.stone'), (page) => page.locator('.type-move input').fill('nowhere'), (page) => page.keyboard.press('Enter'), shown('.remark.error')),
  },
  'note with a button': { at: `g=reversi&m=f5.d6&v=2${QUIET}`, act: each(press('moves.remove'), shown('.note')) },
  'reviewed game': {
    at: `g=connect-four:4x5&m=3.3.2.3.4.1.5${QUIET}&v=3`,
    act: each((page) => page.locator('.review select').selectOption('100ms'), (page) => page.locator('.review .primary').click(), async (page) => page.waitForFunction(() => document.querySelector('.review progress')?.hasAttribute('hidden') && document.querySelector('.review-summary td'))),
  },
  'search graph': {
    at: 'g=connect-four&m=4.4.4',
    act: each((page) => page.locator('details.graph summary').click(), shown('.graph-dot:nth-of-type(8)'), (page) => page.locator('.switch').click(), (page) => page.locator('.graph-dot').nth(2).click(), shown('.graph-node svg')),
  },
  'search graph on the full page': { at: 'g=connect-four&m=4.4', act: each(analysed, (page) => page.locator('details.graph summary').click(), shown('.graph-dot:nth-of-type(4)'), press('graph.large')) },
  'new game with holes': { at: '', act: newGame(0) },
  'new game of discs': { at: '', act: newGame(1) },
  'new game of dots, settings open': {
    at: '', act: each(newGame(2), (page) => page.locator('dialog select').nth(1).selectOption('mcgs'), (page) => page.locator('dialog summary').last().click()),
  },
  'import': { at: '', act: each(press('home.import', false), dialog) },
  'import of several games': {
    at: '',
    act: each(press('home.import', false), (page) => page.locator('dialog textarea').fill(GAMES), (page) => page.locator('dialog select').first().selectOption('connect-four'), press('import.open'), shown('dialog .record')),
  },
  'import that is refused': {
    at: '', act: each(press('home.import', false), (page) => page.locator('dialog textarea').fill('nonsense'), press('import.open'), shown('dialog .refusal:not([hidden])')),
  },
  'share': { at: `g=reversi&m=f5${QUIET}`, act: each(press('share.title'), dialog) },
  'edit discs': { at: `g=reversi${QUIET}`, act: each(press('edit.title'), shown('dialog .stone')) },
  'edit dots': { at: `g=dots-and-boxes${QUIET}`, act: each(press('edit.title'), shown('dialog .edge')) },
  'keys': { at: `g=reversi${QUIET}`, act: each(shown('.stone'), (page) => page.keyboard.press('?'), shown('dialog .keys')) },
  'analysing player': { at: `g=reversi${QUIET}`, act: each((page) => page.locator('.engine-line .quiet').click(), dialog) },
  'game that does not exist': { at: 'g=chess', act: shown('.failed') },
  'address that names no game': { at: 'nonsense', act: shown('.note.error') },
};

/** One page for each look, which goes from view to view as a reader does. @type {Map<string, Page>} */
const pages = new Map();

/** @param {typeof LOOKS[number]} look */
async function pageOf([size, colorScheme, language]) {
  const name = `${size}, ${colorScheme}, ${language}`;
  const known = pages.get(name);
  if (known) return known;
  const page = await browsers.get(size + language)?.context.newPage();
  assert.ok(page);
  pages.set(name, page);
  // Short searches, so that the checks have the machine for themselves.
  await page.addInitScript(() => {
    localStorage.setItem('banyan.limit', JSON.stringify('visits:10000'));
    localStorage.setItem('banyan.engine', 'true');
  });
  await page.addInitScript(watchHeadings);
  await page.emulateMedia({ colorScheme });
  await page.goto(place.url);
  await page.waitForSelector('main');
  assert.equal(await page.evaluate(() => document.documentElement.lang), language);
  return page;
}

/**
 * Shows an address in a page that shows another one.
 * @param {Page} page
 * @param {string} at
 */
async function show(page, at) {
  await page.evaluate(async (hash) => {
    location.hash = hash;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, at);
}

/**
 * Registers the visits of views.
 * @param {() => Promise<Place>} start
 * @param {Views} views
 * @param {(n: number) => boolean} [chosen] without BANYAN_DEEP, those of a part of them, by their number
 */
export function visitViews(start, views, chosen = () => true) {
  before(async () => {
    place = await start();
    for (const [size, options] of Object.entries(SIZES)) {
      for (const language of LANGUAGES) browsers.set(size + language, await launch({ ...options, locale: language, reducedMotion: 'reduce' }));
    }
  });
  after(async () => {
    for (const { close } of browsers.values()) await close();
    await place?.stop();
  });
  const isDeep = Boolean(process.env.BANYAN_DEEP);
  Object.entries(views).forEach(([name, view], n) => {
    const mixed = LOOKS[n % LOOKS.length] ?? LOOKS[0];
    for (const look of isDeep ? LOOKS : chosen(n) ? [mixed] : []) {
      test(`${name}, ${look.join(', ')}`, { timeout: 60_000 }, () => check(name, view, look));
    }
  });
}

/**
 * @param {string} name
 * @param {Views[string]} view
 * @param {typeof LOOKS[number]} look
 */
async function check(name, { at, act }, look) {
  const page = await pageOf(look);
  try {
    await show(page, at);
    await act?.(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name.replace(/\W+/g, '-')}-${look.join('-')}.png` });
    assert.deepEqual(await findings(page), []);
  } finally {
    await page.evaluate(() => document.querySelectorAll('dialog, .note').forEach((el) => (el instanceof HTMLDialogElement ? el.close() : el.remove())));
    await show(page, '');
  }
}
