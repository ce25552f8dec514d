/**
 * Use of the page in a real browser with a real server: the tours of every page (../common), and what only a server has: answers that come
 * late, matches, sweeps, a path prefix, a server that is gone, weight and speed. How every view looks: views.test.js.
 */

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { analyseTours } from '../common/analyse.js';
import { importTours } from '../common/import.js';
import { playTours } from '../common/play.js';
import { reviewTours } from '../common/review.js';
import { address, counts, forgive, hash, open, page, phoneTour, place, shot, shows, tour, until, visit } from '../common/tour.js';
import { behindPrefix } from './prefix.js';
import { serve } from './server.js';

const PAGE = new URL('../../page', import.meta.url).pathname;

visit(serve);
for (const tours of [playTours, analyseTours, reviewTours, importTours]) tours();

/**
 * Delays the answers about positions.
 * @param {number} ms
 */
async function slowPositions(ms) {
  await page.route('**/api/state', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => undefined);
  });
}

tour('keys that are faster than the server make one line, in their order', async () => {
  await open('g=connect-four');
  await page.waitForSelector('.board-drop');
  await slowPositions(150);
  for (const key of ['4', '3', '5', '3']) await page.keyboard.press(key);
  await until(() => /v=4/.test(location.hash));
  await address(/m=4\.3\.5\.3&/);
  await page.keyboard.press('1');
  await page.keyboard.press('z');
  await page.keyboard.press('1');
  await until(() => /m=4\.3\.5\.3\.1&v=5/.test(location.hash));
  for (const key of ['2', '6', 'z']) await page.keyboard.press(key);
  await until(() => /m=4\.3\.5\.3\.1\.2&v=6/.test(location.hash));
});

tour('keys that are faster than the first position are not lost', async () => {
  await slowPositions(600);
  const remark = () => page.waitForSelector('.remark:not(:empty)');
  const answers = /** @type {const} */ ([['a', remark], ['x', remark], ['5', () => until(() => /v=[78]/.test(location.hash))]]);
  for (const [key, answer] of answers) {
    await open('');
    await open('g=connect-four&m=4.3.4.3.4.3.5&v=6&o=random');
    assert.equal(await page.locator('.board-drop .stone').count(), 0);
    await page.keyboard.press(key);
    await answer();
  }
  await open('');
  await open('g=connect-four&o=random');
  assert.equal(await page.locator('.board-drop .stone').count(), 0);
  await page.keyboard.press('Enter');
  await until(() => /m=\d/.test(location.hash));
  // A pass that Connect Four does not have.
  forgive(/400/);
});

tour('a hint that cannot be had says so', async () => {
  await open('g=connect-four&m=4.3.4.3.4.3.5&v=6&o=random');
  await page.waitForSelector('.board-drop .stone');
  await page.route('**/api/move', (route) => route.abort());
  await page.keyboard.press('a');
  await page.waitForSelector('.note.error');
  forgive(/ERR_FAILED|Failed to load/);
});

tour('a failure that comes late does not cover what is shown since', async () => {
  await open('');
  await slowPositions(600);
  await page.evaluate(() => { location.hash = 'g=chess'; });
  await page.waitForSelector('main.play');
  await page.evaluate(() => { location.hash = 'matches'; });
  await page.waitForSelector('.match-form form');
  await page.waitForResponse((response) => response.url().endsWith('/api/state') && response.status() === 400);
  await page.waitForTimeout(100);
  assert.equal(await page.locator('.failed').count(), 0);
  forgive(/400/);
});

tour('who waits for the searches of others is told the place in the queue', async () => {
  const post = (/** @type {string} */ path, /** @type {unknown} */ body) => fetch(new URL(path, place.url), { method: 'POST', body: JSON.stringify(body) });
  const leave = new AbortController();
  // All four searches of the server, which only their viewers end.
  for (let i = 0; i < 4; i += 1) {
    const { id } = await (await post('api/analysis', { spot: { game: 'reversi' }, player: 'uct' })).json();
    const events = await fetch(new URL(`api/analysis/${id}`, place.url), { signal: leave.signal });
    await events.body?.getReader().read();
  }
  await open('g=connect-four&m=4.4');
  await shows('.status.limit', /waiting: other searches come first, place 1 of 1 in the queue/);
  await shot('queue');
  leave.abort();
  await page.waitForSelector('.candidates tbody tr');
});

tour('a dialog closes when the address changes', async () => {
  await open('g=reversi&m=f5');
  await page.waitForSelector('.board-discs');
  await open('matches');
  await page.waitForSelector('.match-form form');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.goBack();
  await page.waitForSelector('.board-discs');
  await counts('dialog', 0);
});

tour('below a prefix of another server everything works and nothing is asked for outside', async () => {
  const proxy = await behindPrefix(place.url, '/lab/banyan');
  try {
    await page.goto(`${proxy.url}#g=connect-four&m=4.4`);
    await page.waitForSelector('.candidates tbody tr');
    await page.keyboard.press('4');
    await until(() => /m=4\.4\.4/.test(location.hash));
    await page.goto(`${proxy.url}#matches`);
    await page.waitForSelector('.match-form form');
    assert.deepEqual(proxy.strays, []);
  } finally {
    await page.close();
    await proxy.stop();
  }
});

tour('a match is started, watched to its end, and a game of it opened', async () => {
  await open('matches');
  await page.waitForSelector('.match-form form');
  await page.getByRole('textbox', { name: 'Board' }).fill('4x5');
  await page.getByLabel('Pairs').fill('6');
  await page.getByLabel('Budget of a move').fill('playouts=200');
  await shot('matches');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.match-grid');
  await page.waitForSelector('.state-chip.done', { timeout: 60_000 });
  await until(() => document.querySelectorAll('.standings tbody tr').length === 2 && document.querySelectorAll('.record').length >= 10);
  await shows('.elo', /95 %/);
  await shot('match');
  await page.locator('.record').first().click();
  await until(() => location.hash.startsWith('#g=connect-four:4x5&m='));
  await page.waitForSelector('.stage .board-drop');
  await page.goBack();
  await page.waitForSelector('.match-grid');
});

tour('a match of three players as a gauntlet, with openings and a seed', async () => {
  await open('matches');
  await page.waitForSelector('.match-form form');
  assert.equal(await page.getByLabel('Pairs').getAttribute('max'), '100000');
  await page.getByRole('textbox', { name: 'Board' }).fill('4x4');
  await page.getByLabel('Pairs').fill('2');
  await page.getByLabel('Budget of a move').fill('playouts=20');
  await page.getByRole('textbox', { name: /^Openings/ }).fill('random:plies=2');
  await page.getByRole('spinbutton', { name: /^Seed/ }).fill('7');
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByLabel(/^Gauntlet/).check();
  await shot('gauntlet');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  // The list has matches that are done too, so it must have been left.
  await page.waitForSelector('.standings', { timeout: 60_000 });
  await page.waitForSelector('.state-chip.done', { timeout: 60_000 });
  await until(() => document.querySelectorAll('.standings tbody tr').length === 3);
  const id = (await hash()).replace('match=', '');
  const match = await page.evaluate(async (id) => (await fetch(`/api/matches/${id}`)).json(), id);
  assert.deepEqual([match.seed, match.openings, match.summary.pairings.length, match.games], [7, 'random:plies=2', 2, 8]);
});

tour('after a kill the server has the games that are in a record, and the page those that are in an address', async () => {
  const first = await serve();
  await page.goto(`${first.url}#g=connect-four&m=4.3.5&v=2`);
  await until(() => document.querySelectorAll('.ply').length === 3);
  const query = { game: 'connect-four:4x4', players: ['uct', 'graph'], pairs: 20_000, budget: 'playouts=2000', openings: 'random:plies=2' };
  const path = `/api/matches/${await page.evaluate(async (body) => (await (await fetch('/api/matches', { method: 'POST', body: JSON.stringify(body) })).json()).id, query)}`;
  const games = async () => page.evaluate(async (path) => (await (await fetch(path)).json()).games, path);
  while (await games() < 4) await page.waitForTimeout(50);
  const before = await games();
  await first.kill();
  const second = await serve(new URL(first.url).port, first.folder);
  try {
    await page.reload();
    await until(() => document.querySelectorAll('.ply').length === 3);
    assert.equal(await hash(), 'g=connect-four&m=4.3.5&v=2');
    assert.ok(await games() >= before);
    await page.goto(`${second.url}#match=${path.split('/').at(-1)}`);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForSelector('.state-chip.running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForSelector('.state-chip.stopped');
    assert.ok(await games() >= before);
  } finally {
    await second.stop();
  }
  forgive(/ERR_|network|fetch/i);
});

tour('a sweep is started and shows its curve', async () => {
  await open('matches');
  await page.getByRole('radio', { name: 'Sweep' }).check();
  await page.getByRole('textbox', { name: 'Board' }).fill('4x4');
  await page.getByLabel('Setting and values').fill('c=0.2..1/3');
  await page.getByLabel('Pairs').fill('10');
  await page.getByLabel('Budget of a move').fill('playouts=50');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.state-chip.done', { timeout: 60_000 });
  await until(() => document.querySelectorAll('.chart .bar').length === 3);
  await counts('.standings tbody tr', 3);
});

tour('a server that is gone is named, and the game goes on when it is back', async () => {
  const other = await serve();
  await page.goto(`${other.url}#g=connect-four&m=4.3`);
  await page.waitForSelector('.candidates tbody tr');
  await other.stop();
  await page.keyboard.press('5');
  await page.waitForSelector('.offline:not([hidden])');
  assert.equal(await page.locator('.stone').count(), 2);
  const again = await serve(new URL(other.url).port);
  await page.waitForSelector('.offline', { state: 'hidden' });
  await page.keyboard.press('5');
  await until(() => /m=4\.3\.5/.test(location.hash));
  await again.stop();
  forgive(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|network|fetch/i);
});

phoneTour('no message moves the board of a phone', async (small) => {
  await small.goto(`${place.url}#g=connect-four&m=4.4&o=random`);
  await small.waitForSelector('.board-drop');
  const places = () => small.evaluate(() => ['svg.board', '.controls'].map((name) => document.querySelector(name)?.getBoundingClientRect().top));
  const before = await places();
  await small.getByRole('button', { name: 'Dark or light' }).tap();
  await small.waitForSelector('.note');
  assert.deepEqual(await places(), before);
  await small.route('**/api/**', (route) => route.abort());
  await small.getByRole('button', { name: 'Hint' }).tap();
  await small.waitForSelector('.offline:not([hidden])');
  assert.deepEqual(await places(), before);
});

tour('light page, quick first paint, quick replies', async () => {
  const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).map((name) => join(PAGE, name)).filter((name) => statSync(name).isFile());
  // A page without a server loads more, the modules of its engine, and one in Chinese its table.
  const loaded = files.filter((name) => !/transport\/(?:engine|local|module)\.js$|i18n\/zh\.json$/.test(name));
  const weight = loaded.reduce((sum, name) => sum + statSync(name).size, 0);
  // With all texts of the project, 29 kB, also those that only the terminal shows.
  assert.ok(weight < 340_000, `${weight} bytes`);
  await open('g=connect-four&o=random');
  await page.waitForSelector('.board-drop');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  const click = await page.evaluate(async () => {
    const start = performance.now();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: '4', code: 'Digit4', bubbles: true }));
    await new Promise((resolve) => {
      const look = () => (document.querySelector('.stone') ? resolve(undefined) : requestAnimationFrame(look));
      look();
    });
    return performance.now() - start;
  });
  console.log(`page ${(weight / 1000).toFixed(0)} kB, first paint ${paint.toFixed(0)} ms, reply to a click ${click.toFixed(0)} ms`);
});
