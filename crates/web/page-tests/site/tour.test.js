/**
 * The page without a server, as `scripts/site` writes it to the folder in the variable `SITE`, in a real browser: the tours of every page
 * (../common), a third of them unless BANYAN_DEEP=1, and what only this page has.
 */

import assert from 'node:assert/strict';
import { analyseTours } from '../common/analyse.js';
import { importTours } from '../common/import.js';
import { playTours } from '../common/play.js';
import { reviewTours } from '../common/review.js';
import { counts, forgive, open, page, settled, shows, some, tour, until, visit } from '../common/tour.js';
import { host } from './files.js';

/** @type {Awaited<ReturnType<typeof host>>} */
let site;

visit(async () => {
  site = await host(process.env.SITE);
  return site;
});

tour('the first boards need no engine', async () => {
  site.changes.set('engine/banyan_wasm_bg.wasm', () => null);
  await open('');
  await counts('.card-board svg', 3);
  await shows('.note', /could not be loaded/);
  assert.deepEqual(site.asked.filter(({ path }) => path.includes('/api/')), []);
  site.changes.clear();
  forgive(/404/);
});

tour('matches, which only a server has, are absent, and a link to them says where they are', async () => {
  await open('matches');
  await counts('.game-card', 3);
  await shows('.note', /need the program/);
  assert.equal(await page.getByRole('link', { name: 'Matches' }).count(), 0);
});

tour('one game after another is analysed, each at once', async () => {
  await open('g=connect-four&m=4.4.4.4.4.2');
  await counts('.candidates tbody tr', 7);
  await open('g=reversi');
  await counts('.candidates tbody tr', 4);
  await shows('.headline', /^[+\u2212-]?\d/);
  await open('g=connect-four:4x4&m=1.2.3.4');
  await page.waitForSelector('.status.proven');
});

some((n) => Boolean(process.env.BANYAN_DEEP) || n % 3 === 1, () => {
  for (const tours of [playTours, analyseTours, reviewTours, importTours]) tours();
});

tour('without a network the page opens, plays, and analyses', async () => {
  await open('');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await site.stop();
  await open('g=connect-four&m=4.4');
  await page.reload();
  await page.waitForSelector('.board-drop');
  await counts('.candidates tbody tr', 7);
  await page.keyboard.press('5');
  await until(() => /m=4\.4\.5/.test(location.hash));
  await settled(() => page.locator('.stone').count(), (found) => found === 3, '3 stones');
});
