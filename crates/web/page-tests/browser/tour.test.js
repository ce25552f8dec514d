/**
 * Use of the page in a real browser with a real server: games of each kind, variations, holes, editing, links, keys,
 * review, import, matches, the search graph, a path prefix, fingers, weight and speed. How every view looks: views.test.js.
 */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch } from './browser.js';
import { findings } from './checks.js';
import { behindPrefix } from './prefix.js';
import { serve } from './server.js';

const PAGE = new URL('../../page', import.meta.url).pathname;
const SHOTS = process.env.SHOTS;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** @type {import('playwright-core').BrowserContext} */
let browser;
/** @type {() => Promise<void>} */
let close = async () => undefined;
/** @type {import('playwright-core').Page} */
let page;
/** @type {string[]} */
let faults = [];

before(async () => {
  server = await serve();
  const launched = await launch({ viewport: { width: 1280, height: 860 } });
  browser = launched.context;
  close = launched.close;
  await browser.grantPermissions(['clipboard-read', 'clipboard-write']);
});

after(async () => {
  await close();
  await server?.stop();
});

/**
 * A test on a new page, which must log no error.
 * @param {string} name
 * @param {() => Promise<void>} body
 */
function tour(name, body) {
  test(name, { timeout: 120_000 }, async () => {
    page = await browser.newPage();
    // As for a reader who analyses; that others are not shown values is a test of its own.
    await page.addInitScript(() => localStorage.setItem('banyan.engine', 'true'));
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

/** @param {string} hash */
async function open(hash) {
  await page.goto(`${server.url}#${hash}`);
  await page.waitForSelector('main');
}

/** @param {string} name */
async function shot(name) {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

async function hash() {
  return new URL(page.url()).hash.slice(1);
}

async function turn() {
  // Empty until the position is loaded.
  await page.waitForSelector('.turn:not(:empty)');
  return (await page.textContent('.turn')) ?? '';
}

/** Ply of the current position. */
async function ply() {
  return Number(/v=(\d+)/.exec(await hash())?.[1] ?? 0);
}

/**
 * Waits until a condition on the page holds.
 * @param {(argument: any) => boolean} condition
 * @param {any} [argument]
 */
async function until(condition, argument) {
  await page.waitForFunction(condition, argument, { timeout: 60_000 });
}

/**
 * Waits until an element has a text: the page shows a position first, then the facts about it.
 * @param {string} selector
 * @param {RegExp} pattern
 */
async function shows(selector, pattern) {
  await settled(async () => (await page.locator(selector).first().textContent({ timeout: 5_000 })) ?? '', (text) => pattern.test(text), `${selector} shows ${pattern}`);
}

/**
 * Waits until `number` elements are on the page.
 * @param {string} selector
 * @param {number} number
 */
async function counts(selector, number) {
  await settled(() => page.locator(selector).count(), (found) => found === number, `${number} of ${selector}`);
}

/**
 * Waits until the address matches.
 * @param {RegExp} pattern
 */
async function address(pattern) {
  await settled(hash, (text) => pattern.test(text), `the address matches ${pattern}`);
}

/**
 * Reads until a condition holds, and fails with the last value.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(value: T) => boolean} condition
 * @param {string} expected
 */
async function settled(read, condition, expected) {
  const end = Date.now() + 20_000;
  let found = await read();
  while (!condition(found) && Date.now() < end) {
    await page.waitForTimeout(20);
    found = await read();
  }
  assert.ok(condition(found), `expected: ${expected}; found: ${found}`);
}

/** Makes a move of the human to move, by a click on the board at the place of a preview. */
async function clickLegalMove() {
  const places = await page.evaluate(async () => {
    const fields = new URLSearchParams(location.hash.slice(1));
    const moves = (fields.get('m') ?? '').split('.').filter(Boolean);
    const response = await fetch('/api/state', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: fields.get('g'), position: null, moves }) });
    const state = await response.json();
    const svg = /** @type {SVGSVGElement} */ (document.querySelector('svg.board'));
    const matrix = svg.getScreenCTM();
    if (!matrix || !state.picture) return [];
    const { rows, columns } = state.picture;
    return state.legal.filter((/** @type {any} */ legal) => legal.at).map((/** @type {any} */ legal) => {
      const at = legal.at;
      const across = (rows + 1) * columns;
      const [x, y] = 'column' in at ? [at.column + 0.5, 0.5] : 'cell' in at ? [at.cell[1] + 0.5, at.cell[0] + 0.5]
        : at.edge < across ? [(at.edge % columns) + 0.5, Math.floor(at.edge / columns)]
          : [(at.edge - across) % (columns + 1), Math.floor((at.edge - across) / (columns + 1)) + 0.5];
      const point = new DOMPoint(26 + x * 48, 26 + y * 48).matrixTransform(matrix);
      return { x: point.x, y: point.y };
    });
  });
  const place = places[Math.floor(places.length / 2)];
  if (place) await page.mouse.click(place.x, place.y);
  else await page.getByRole('button', { name: 'Pass', exact: true }).click();
}

/**
 * A whole game of a human, by clicks, against a weak engine.
 * @param {string} game
 */
async function wholeGame(game) {
  const levels = await page.evaluate(async () => (await (await fetch('/api/about')).json()).levels.map((/** @type {any} */ level) => level.name));
  await open(`g=${game}&o=${levels.includes('level-1') ? 'level-1' : 'random'}&b=50ms`);
  for (let n = 0; n < 80; n++) {
    await until(() => document.querySelector('.strip.thinking') === null && /(?:to move|moves? again)$|Game over|must pass/.test(document.querySelector('.turn')?.textContent ?? ''));
    if ((await turn()).startsWith('Game over')) return;
    const before = await ply();
    await clickLegalMove();
    await until((was) => Number(/v=(\d+)/.exec(location.hash)?.[1] ?? 0) > was, before);
  }
  assert.fail(`${game}: not over after 80 moves: ${await turn()}`);
}

tour('the start page shows the games, and one click leads to each', async () => {
  await open('');
  await counts('.game-card', 3);
  await page.waitForSelector('.game-card:nth-child(3) svg.board');
  await shot('home');
  await page.locator('.game-card').nth(1).getByRole('button', { name: 'Analyse' }).click();
  await page.waitForSelector('.board-discs');
  await address(/^g=reversi$/);
});

for (const game of ['connect-four', 'reversi:6x6', 'dots-and-boxes:3x3']) {
  tour(`a whole game of ${game} against a weak engine`, async () => {
    await open('');
    await wholeGame(game);
    await shows('.turn', /wins|a draw/);
    await shot(`over-${game.split(':')[0]}`);
  });
}

tour('undo against an engine gives the person the move again; the game that goes on is the main line', async () => {
  await open('g=connect-four&o=random&b=50ms');
  await page.waitForSelector('.board-drop');
  await page.keyboard.press('4');
  await until(() => /v=2/.test(location.hash));
  await page.keyboard.press('z');
  await address(/^g=connect-four&o=random&b=50ms$/);
  await counts('.ply', 0);
  await page.keyboard.press('5');
  await until(() => /v=2$/.test(location.hash.split('&o=')[0] ?? ''));
  await address(/m=5\(4\.\d\)\.\d/);
  await counts('.variation', 1);
  // A move that is tried after looking back is a variation.
  await page.keyboard.press('Home');
  await until(() => /v=0/.test(location.hash));
  await page.keyboard.press('6');
  await until(() => /v=2~1:2/.test(location.hash));
  await address(/m=5\(4\.\d\)\(6\.\d\)\.\d/);
  await shot('variation');
});

tour('the back button of the browser goes to the move before, and forward again', async () => {
  await open('g=connect-four');
  await page.waitForSelector('.board-drop');
  for (const key of ['4', '3', '5']) {
    const before = await ply();
    await page.keyboard.press(key);
    await until((was) => Number(/v=(\d+)/.exec(location.hash)?.[1] ?? 0) > was, before);
  }
  await page.goBack();
  await until(() => /v=2/.test(location.hash));
  await counts('.ply', 3);
  await page.goBack();
  await until(() => /v=1/.test(location.hash));
  await page.goForward();
  await until(() => /v=2/.test(location.hash));
});

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

tour('a move that was taken back and is typed again in another way is no variation', async () => {
  await open('g=reversi');
  await page.waitForSelector('.board-discs');
  for (const move of ['f5', 'F5']) {
    await page.getByLabel('Type a move').fill(move);
    await page.keyboard.press('Enter');
    await until(() => /v=1/.test(location.hash));
    await page.keyboard.press('Tab');
    await page.locator('.board-frame').focus();
    await page.keyboard.press('z');
    await address(/^g=reversi$/);
  }
  await page.getByRole('button', { name: 'Next move' }).click();
  await address(/^g=reversi&m=f5&v=1$/);
});

tour('a position is set up in the new game, and not in the one before', async () => {
  await open('g=connect-four:4x5');
  await page.waitForSelector('.board-drop');
  await page.keyboard.press('g');
  await page.getByRole('radio', { name: 'Reversi' }).check();
  await page.getByRole('button', { name: 'Set up a position' }).click();
  await page.waitForSelector('dialog .edit-board svg');
  await counts('dialog .edit-board .board-discs', 1);
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
  faults = faults.filter((fault) => !fault.includes('400'));
});

tour('nobody moves after the time is up', async () => {
  await open('g=connect-four&b=inc=1ms%2B300ms/game');
  await page.waitForSelector('.board-drop');
  await page.keyboard.press('4');
  await until(() => /time of Orange is up/.test(document.querySelector('.turn')?.textContent ?? ''));
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(400);
  assert.match(await hash(), /m=4&v=1/);
  assert.equal(await page.locator('.board-frame.playable').count(), 0);
});

tour('without a clipboard the text is selected', async () => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await open('g=connect-four&m=4.4');
  await page.waitForSelector('.board-drop');
  await page.getByRole('button', { name: 'Share and export' }).click();
  await page.locator('.copyable').nth(1).getByRole('button', { name: 'Copy' }).click();
  await page.waitForSelector('text=The text is selected');
  assert.equal(await page.evaluate(() => String(getSelection())), '4 4');
  await shot('share');
});

/** @param {string} text */
async function imports(text) {
  await open('');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('textbox', { name: 'Paste' }).fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}

tour('everything that is shared is imported again', async () => {
  for (const [shared, moves] of [['g=reversi&m=f5.d6(f4.c3).c3.d3', 'f5.d6.c3.d3'], ['g=connect-four&m=4.4.3.7', '4.4.3.7'], ['g=dots-and-boxes&m=h0,0.v2,3', 'h0,0.v2,3']]) {
    await open(`${shared}`);
    await page.waitForSelector('main.play .board');
    await page.getByRole('button', { name: 'Share and export' }).click();
    await page.waitForSelector('.copyable >> nth=3');
    const texts = await page.locator('.copyable input').evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value));
    assert.equal(texts.length, 4);
    for (const name of await page.locator('dialog .buttons button').allTextContents()) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
      const bytes = readFileSync(await file.path());
      if (file.suggestedFilename().endsWith('.png')) assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
      else texts.push(bytes.toString('utf8'));
    }
    assert.ok(texts.length >= 7, texts.join('\n'));
    for (const text of texts) {
      await imports(text);
      await page.waitForSelector('main.play .board');
      const found = await hash();
      // A position and a drawing have no moves.
      assert.ok(found.includes('&s=') || found.replace('(f4.c3)', '').includes(`m=${moves}`), `${text}: ${found}`);
    }
    // A link keeps its variations.
    await imports(texts[0] ?? '');
    await until((/** @type {string} */ part) => location.hash.includes(part), (shared ?? '').split('&m=')[1] ?? '');
  }
});

tour('a mistake in an imported text is shown with its place, and the moves before it can be opened', async () => {
  await imports('1. f5 d6\n3. c3 d3');
  await shows('.refusal', /line 2, column 1: 3\.: expected the number 2/);
  assert.equal(await page.getByRole('textbox', { name: 'Paste' }).inputValue(), '1. f5 d6\n3. c3 d3');
  assert.deepEqual(await findings(page), []);
  await page.getByRole('button', { name: 'Open the 2 moves before it' }).click();
  await until(() => location.hash.includes('m=f5.d6'));
});

tour('a clock runs for the side to move, and stops when the reader looks elsewhere', async () => {
  await open('g=connect-four&b=5m/game%2Binc=2s');
  await page.waitForSelector('.board-drop');
  assert.deepEqual(await page.locator('.clock').allTextContents(), ['5:00', '5:00']);
  await page.keyboard.press('4');
  await page.waitForSelector('.strip.side-1 .clock.running');
  await page.keyboard.press('3');
  await page.waitForSelector('.strip.side-0 .clock.running');
  await page.keyboard.press('ArrowLeft');
  await until(() => document.querySelector('.clock.running') === null);
});

tour('an engine whose turn it is at the end of a link moves, and elsewhere it waits for Enter', async () => {
  await open('g=connect-four&m=4&o=random&b=50ms');
  await until(() => /v=2/.test(location.hash));
  await page.keyboard.press('ArrowLeft');
  await until(() => /Enter lets it move/.test(document.querySelector('.turn')?.textContent ?? ''));
  await page.keyboard.press('Enter');
  await until(() => /v=2/.test(location.hash));
});

tour('a removed variation comes back', async () => {
  await open('g=connect-four&m=4.4(3.3).3&v=2~2:1');
  await page.getByRole('button', { name: 'Remove from here' }).click();
  await until(() => !location.hash.includes('('));
  await page.locator('.note').getByRole('button', { name: 'Undo' }).click();
  await until(() => location.hash.includes('4.4(3.3).3'));
});

tour('a hint is shown on the board and goes away again', async () => {
  await open('g=connect-four&m=4.3.4.3.4.3&o=random');
  await page.waitForSelector('.board-drop');
  await page.keyboard.press('a');
  await page.waitForSelector('.ghost-move');
  await shows('.remark', /Hint: column 4/);
  await page.keyboard.press('a');
  await until(() => document.querySelector('.ghost-move') === null);
  await page.keyboard.press('a');
  await page.waitForSelector('.ghost-move');
  await page.keyboard.press('ArrowLeft');
  await until(() => document.querySelector('.ghost-move') === null && document.querySelector('.remark')?.textContent === '');
});

tour('the list of moves has numbered pairs and the discs after each move', async () => {
  await open('g=reversi&m=f5.d6(f6).c3');
  await shows('.variation', /^1\u2026f6/);
  await settled(() => page.locator('.move-row').allTextContents(), (rows) => rows.join(' ') === '1.f54\u20131d63\u20133 2.c35\u20132', 'pairs with counts');
  assert.equal(await page.locator('.move-row .chip').first().evaluate((disc) => getComputedStyle(disc).backgroundColor), 'rgb(22, 25, 28)');
});

tour('the box of moves loses the focus after a move, and keeps one that is refused', async () => {
  await open('g=reversi&o=random&b=50ms');
  await page.waitForSelector('.board-discs');
  await page.keyboard.press('m');
  await page.keyboard.type('a1');
  await page.keyboard.press('Enter');
  await shows('.remark.error', /a1/);
  assert.equal(await page.getByLabel('Type a move').inputValue(), 'a1');
  await page.keyboard.type('f5');
  await page.keyboard.press('Enter');
  await until(() => /v=2/.test(location.hash) && document.activeElement === document.body && document.querySelector('.remark')?.textContent === '');
  faults = faults.filter((fault) => !fault.includes('400'));
});

tour('at the end of a game a rematch with sides swapped and a review are offered', async () => {
  await open('g=connect-four:4x5&m=3.3.2.3.4.1.5&o=random&b=50ms');
  await shows('.turn', /^Game over, you win: Blue wins with \d+ stones to spare$/);
  await page.locator('.after').getByRole('button', { name: 'Review the game' }).click();
  // Then the first mistake is shown; the end offers the rematch again.
  await until(() => document.querySelectorAll('.ply .mark').length === 2 && document.querySelector('.review progress')?.hasAttribute('hidden') === true);
  await until(() => /v=3/.test(location.hash));
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Rematch' }).click();
  await address(/^g=connect-four:4x5(&m=\d&v=1)?&x=random&b=50ms$/);
  await until(() => document.querySelectorAll('.ply').length === 1);
});

tour('a new game like the one before begins anew', async () => {
  await open('g=connect-four:4x4&m=1.2.3');
  await until(() => document.querySelectorAll('.ply').length === 3);
  await page.keyboard.press('g');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await address(/^g=connect-four:4x4$/);
  await counts('.ply', 0);
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

tour('there is one note at a time, in the frame of the page', async () => {
  await open('');
  for (let n = 0; n < 3; n++) await page.getByRole('button', { name: 'Dark or light' }).click();
  await counts('.note', 1);
  await counts('header.top .note', 1);
  await page.locator('.note').getByRole('button', { name: 'Close' }).click();
  await counts('.note', 0);
});

tour('a game lists its own players with a sentence each, published systems apart', async () => {
  await open('');
  await page.locator('.game-card').nth(1).getByRole('button', { name: 'Play' }).click();
  const groups = await page.locator('dialog select').nth(1).evaluate((select) => [...select.querySelectorAll('optgroup')].map((group) => ({ label: group.label, texts: [...group.children].map((option) => option.textContent ?? '') })));
  assert.deepEqual(groups.map((group) => group.label), ['Levels', 'Players', 'Published systems']);
  const [, players, published] = groups;
  assert.ok(players?.texts.every((text) => / \u2013 /.test(text)) && players.texts.some((text) => text.startsWith('best \u2013 ')), players?.texts.join('\n'));
  assert.ok(published?.texts.every((text) => text.includes('reversi')), published?.texts.join('\n'));
});

tour('below a prefix of another server everything works and nothing is asked for outside', async () => {
  const proxy = await behindPrefix(server.url, '/lab/banyan');
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

tour('x shows what the other side threatens, where it could pass', async () => {
  await open('g=reversi&m=f5&o=random&x=random&v=0');
  await page.waitForSelector('.board-discs');
  await page.keyboard.press('x');
  await page.waitForSelector('.ghost-move.side-1');
  await shows('.remark', /threatens/);
  // In the colour of the side's discs.
  assert.equal(await page.locator('.ghost-move.side-1 .disc').evaluate((disc) => getComputedStyle(disc).fill), 'rgb(250, 250, 247)');
  await shot('threat');
  await page.keyboard.press('x');
  await until(() => document.querySelector('.ghost-move') === null);
  await open('g=connect-four&m=4');
  await page.waitForSelector('.board-drop');
  await page.keyboard.press('x');
  await until(() => /nobody could pass/.test(document.querySelector('.remark')?.textContent ?? ''));
  faults = faults.filter((fault) => !fault.includes('400'));
});

tour('the right button marks cells and draws arrows, which stay with their position', async () => {
  await open('g=reversi');
  await page.waitForSelector('.board-discs');
  const at = async (/** @type {number} */ cell) => {
    const box = await page.locator('svg.board .square').nth(cell).boundingBox();
    assert.ok(box);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x = 0, y = 0] = await at(10);
  const [x2 = 0, y2 = 0] = await at(29);
  await page.mouse.click(x, y, { button: 'right' });
  await page.mouse.move(x, y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(x2, y2);
  await page.mouse.up({ button: 'right' });
  await page.waitForSelector('path.reader-mark');
  await counts('.reader-mark', 2);
  await shot('marks');
  assert.equal(await hash(), 'g=reversi');
  await page.getByLabel('Type a move').fill('f5');
  await page.keyboard.press('Enter');
  await until(() => /v=1/.test(location.hash));
  await until(() => document.querySelector('.reader-mark') === null);
  await page.locator('.board-frame').focus();
  await page.keyboard.press('z');
  await page.waitForSelector('path.reader-mark');
  await page.keyboard.press('Escape');
  await until(() => document.querySelector('.reader-mark') === null);
});

tour('the analyst and what stands on the board are in the address', async () => {
  await open('g=connect-four&m=4.4&e=graph&d=visits');
  await page.waitForSelector('.candidates tbody tr');
  await shows('.engine-line', /graph/);
  await settled(() => page.getByLabel('On the board').inputValue(), (value) => value === 'visits', 'visits on the board');
  await page.getByLabel('On the board').selectOption('proven');
  await until(() => /&d=proven$/.test(location.hash));
  await address(/&e=graph&d=proven$/);
  await page.getByLabel('On the board').selectOption('win');
});

tour('a side without a move passes by button', async () => {
  await open('g=reversi:4x4&m=a2.a1.c4.a3.b1.d2.d3.d4');
  await page.waitForSelector('.board-discs');
  await shows('.turn', /must pass/);
  await page.getByRole('button', { name: 'Pass', exact: true }).click();
  await until(() => /m=.*\.pass&/.test(location.hash));
  await page.keyboard.press('z');
  await until(() => /v=8/.test(location.hash));
  await page.keyboard.press('p');
  await until(() => /v=9$/.test(location.hash));
});

tour('holes by clicking, then a game on that board', async () => {
  await open('');
  await page.locator('.game-card').first().getByRole('button', { name: 'Play' }).click();
  await page.getByRole('button', { name: 'Block d3' }).click();
  await page.getByRole('button', { name: 'Block a1' }).click();
  await page.waitForSelector('[aria-label="Block d3"][aria-pressed="true"]');
  await shot('new-game');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.board-drop .hole');
  await address(/^g=connect-four:hole=a1,hole=d3/);
  await counts('.hole', 2);
});

tour('an edited position is refused or shown', async () => {
  await open('g=connect-four:4x5&m=3');
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByRole('button', { name: 'Clear the board' }).click();
  for (const [tool, cell] of [['Blue', 'a1'], ['Orange', 'b1'], ['Blue', 'c1']]) {
    await page.locator('.choices').first().getByRole('radio', { name: tool, exact: true }).check();
    await page.getByLabel('Cell or edge, d3 or h0,1').fill(cell ?? '');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
  }
  await page.getByRole('button', { name: 'Use this position' }).click();
  await until(() => location.hash.includes('s='));
  assert.equal(decodeURIComponent(await hash()), 'g=connect-four:4x5&s=5/5/5/xox2 o');
  await shows('.turn', /Orange to move/);
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByLabel('Cell or edge, d3 or h0,1').fill('d4');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByRole('button', { name: 'Use this position' }).click();
  await page.waitForSelector('dialog .refusal:not([hidden])');
  faults = faults.filter((fault) => !fault.includes('400'));
});

tour('a link and a reload show the same position, with its variations', async () => {
  await open('g=dots-and-boxes:3x3&m=h0,0.v0,0(v1,1.h2,2).h1,0&v=2~2:1');
  await page.waitForSelector('.board-boxes');
  await until(() => document.querySelectorAll('.ply').length === 5);
  const before = await hash();
  await page.reload();
  await until(() => document.querySelectorAll('.ply').length === 5);
  assert.equal(await hash(), before);
  await shows('.ply[aria-current]', /^v1,1$/);
  await page.getByRole('button', { name: 'Share and export' }).click();
  await page.locator('.copyable').first().getByRole('button', { name: 'Copy' }).click();
  await settled(() => page.evaluate(() => navigator.clipboard.readText()), (text) => text === page.url(), 'the address in the clipboard');
});

tour('a nonsense address leads to the start page and says so', async () => {
  await open('g=reversi&m=(((');
  await page.waitForSelector('.game-card');
  await shows('.notes', /names no game/);
  await open('g=chess');
  await page.waitForSelector('.failed');
  faults = faults.filter((fault) => !fault.includes('400'));
});

tour('by keyboard only: point, play, step, type, analyse, list the keys', async () => {
  await open('g=reversi');
  await page.waitForSelector('.board-discs');
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.preview .flip');
  await page.keyboard.press('Enter');
  await until(() => /v=1/.test(location.hash));
  await page.keyboard.press('Tab');
  await page.keyboard.press('m');
  await page.waitForSelector('.legal circle', { state: 'attached' });
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.remark.error');
  faults = faults.filter((fault) => !fault.includes('400'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await until(() => /v=0/.test(location.hash));
  await page.keyboard.press('End');
  await until(() => /v=1/.test(location.hash));
  await page.locator('.ply').first().focus();
  await page.keyboard.press('Home');
  await until(() => /v=0/.test(location.hash));
  await page.keyboard.press('Enter');
  await until(() => /v=1/.test(location.hash));
  await until(() => document.activeElement?.classList.contains('ply') === true);
  await page.keyboard.press('?');
  await settled(() => page.locator('dialog .keys tr').count(), (found) => found > 15, 'more than 15 rows of keys');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
});

tour('the analysis names moves, draws their line, and plays one on a click', async () => {
  await open('g=connect-four&m=4.4');
  await page.waitForSelector('.candidates tbody tr:nth-child(3)');
  await page.hover('.candidates tbody tr:nth-child(1) .line');
  await page.waitForSelector('.ghost-number');
  await shot('analysis');
  await settled(() => page.locator('.overlay').count(), (found) => found > 1, 'more than one overlay');
  await page.keyboard.press('h');
  await page.keyboard.press('h');
  await page.keyboard.press('l');
  await page.waitForSelector('.switch[aria-checked="false"]');
  await page.keyboard.press('l');
  await page.waitForSelector('.candidates tbody tr:nth-child(1)');
  await page.click('.candidates tbody tr:nth-child(1) .line');
  await until(() => /v=3/.test(location.hash));
});

tour('a small board is proven', async () => {
  await open('g=connect-four:4x4&m=1.2.3.4');
  await page.waitForSelector('.status.proven', { timeout: 60_000 });
  await shows('.headline', /draw|win|loss/);
});

tour('the search graph opens a node with its board and goes there', async () => {
  await open('g=connect-four&m=4.4.4');
  await page.locator('details.graph summary').click();
  await page.waitForSelector('.graph-dot:nth-of-type(8)');
  const dots = page.locator('.graph-dot');
  await settled(() => dots.count(), (found) => found > 8, 'more than 8 dots');
  await page.keyboard.press('l');
  await dots.nth(3).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.graph-node svg.board');
  await page.locator('.graph').scrollIntoViewIfNeeded();
  await shot('graph');
  await page.getByRole('button', { name: 'Go there' }).click();
  await until(() => Number(/v=(\d+)/.exec(location.hash)?.[1]) > 3);
});

tour('an imported game with a known blunder is reviewed', async () => {
  await open('');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const saved = JSON.stringify({ v: 1, game: 'connect-four:4x5', position: null, players: ['human', 'human'], moves: ['3', '3', '2', '3', '4', '1', '5'], result: null });
  await page.getByRole('textbox', { name: 'Paste' }).fill(saved);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.waitForSelector('.board-drop');
  await page.locator('.review').getByRole('button', { name: 'Review the game' }).click();
  await until(() => document.querySelectorAll('.ply .mark').length === 2 && document.querySelector('.review progress')?.hasAttribute('hidden') === true);
  assert.deepEqual(await page.locator('.ply .mark').allTextContents(), ['??', '??']);
  // The first mistake is shown.
  await until(() => /v=3/.test(location.hash));
  await page.keyboard.press('Home');
  await until(() => /v=0/.test(location.hash));
  await page.keyboard.press('n');
  await until(() => /v=3/.test(location.hash));
  await shows('.verdict', /loses 50 %, proven/);
  await shot('review');
  await page.keyboard.press('n');
  await until(() => /v=4/.test(location.hash));
  await shows('.verdict .reasons', /Blue plays 4 and threatens a1 and e1 at once/);
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  assert.equal(await page.locator('.note', { hasText: 'No marked move after this one' }).count(), 1);
  await page.locator('.better').click();
  await until(() => /v=4~4:1/.test(location.hash));
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
  faults = faults.filter((fault) => !/ERR_|network|fetch/i.test(fault));
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
  faults = faults.filter((fault) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|network|fetch/i.test(fault));
});

tour('buttons fit a finger', async () => {
  await page.setViewportSize({ width: 375, height: 780 });
  await open('g=reversi&m=f5.d6');
  await page.waitForSelector('.candidates tbody tr');
  const small = await page.evaluate(() => [...document.querySelectorAll('button:not(.ply, .term), a, select')].filter((el) => el.checkVisibility() && !el.matches('.skip')).map((el) => ({ el, box: el.getBoundingClientRect() }))
    .filter(({ box }) => box.height < 43.5 || box.width < 43.5).map(({ el }) => el.outerHTML.slice(0, 80)));
  assert.deepEqual(small, []);
  await shot('small');
});

test('on a small board under a finger, the first tap shows a move and the second one makes it', { timeout: 60_000 }, async () => {
  const phone = await launch({ viewport: { width: 375, height: 780 }, hasTouch: true, isMobile: true });
  try {
    const small = await phone.context.newPage();
    await small.goto(`${server.url}#g=dots-and-boxes:9x9`);
    await small.waitForSelector('.board-boxes');
    const box = await small.locator('svg.board .edge').nth(12).boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await small.touchscreen.tap(x, y);
    await small.waitForSelector('.preview .ghost-edge', { state: 'attached' });
    assert.ok(!small.url().includes('m='));
    await small.touchscreen.tap(x, y);
    await small.waitForFunction(() => location.hash.includes('m=h1,3'));
    // Nothing on a phone tells about keys.
    assert.equal(await small.getByRole('button', { name: 'Keys' }).count(), 0);
    const labels = await small.evaluate(() => [...document.querySelectorAll('[title], [aria-label]')].map((el) => `${el.getAttribute('title')} ${el.getAttribute('aria-label')}`).join('\n') + document.body.textContent);
    assert.doesNotMatch(labels, /\((?:[a-z]|Enter|Shift\+n|[\u2190-\u2193])\)|[Kk]eys?\b|Ctrl/);
  } finally {
    await phone.close();
  }
});

/** A phone with an own profile. @param {(page: import('playwright-core').Page) => Promise<void>} body */
async function onPhone(body) {
  const phone = await launch({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  try {
    await body(await phone.context.newPage());
  } finally {
    await phone.close();
  }
}

test('on a phone a size is typed over, the fields keep the focus, and one that does not fit starts nothing', { timeout: 120_000 }, () => onPhone(async (small) => {
  await small.goto(server.url);
  // The picture of a game is its button, too.
  await small.locator('.game-card').nth(2).locator('.card-board').tap();
  await small.waitForSelector('dialog .mini');
  const [rows, columns] = [small.getByRole('textbox', { name: 'Rows' }), small.getByRole('textbox', { name: 'Columns' })];
  const [box, footer] = [await columns.boundingBox(), await small.locator('dialog footer').boundingBox()];
  assert.ok(box && footer && box.y + box.height < footer.y);
  await rows.tap();
  await small.keyboard.type('3');
  await columns.tap();
  await small.keyboard.type('2');
  assert.deepEqual([await rows.inputValue(), await columns.inputValue()], ['3', '2']);
  await small.waitForFunction(() => document.querySelectorAll('dialog .mini .dot').length === 12);
  for (const [text, line] of [['', 'Enter a number, 1 to 9'], ['63', '63 does not fit: enter 1 to 9']]) {
    await rows.fill(text ?? '');
    await small.getByRole('button', { name: 'Start', exact: true }).tap();
    assert.deepEqual([await small.locator('#size-rows').textContent(), small.url()], [line, server.url]);
    assert.equal(await rows.evaluate((input) => input === document.activeElement), true);
  }
  await rows.fill('3');
  await small.getByRole('button', { name: 'Start', exact: true }).tap();
  await small.waitForFunction(() => location.hash.startsWith('#g=dots-and-boxes:3x2'));
}));

test('who plays is not shown the best moves, and who analyses is', { timeout: 120_000 }, () => onPhone(async (small) => {
  const engine = (/** @type {boolean} */ on) => small.waitForSelector(`.switch[aria-checked="${on}"]`);
  await small.goto(`${server.url}#g=connect-four&m=4.4`);
  await engine(false);
  await small.goto(server.url);
  await small.locator('.game-card').first().getByRole('button', { name: 'Analyse' }).tap();
  await engine(true);
  await small.waitForSelector('.overlay');
  // Another game is looked at in the same way.
  await small.evaluate(() => { location.hash = 'g=reversi&m=f5'; });
  await small.waitForSelector('.board-discs');
  await engine(true);
  await small.getByRole('button', { name: 'New game' }).tap();
  for (const n of [0, 1]) await small.locator('dialog select').nth(n).selectOption('');
  await small.getByRole('button', { name: 'Start', exact: true }).tap();
  await small.waitForFunction(() => location.hash === '#g=reversi');
  await engine(false);
  assert.equal(await small.locator('.overlay').count(), 0);
}));

test('on a phone a tap between edges draws nothing, and a tap that makes no move says why', { timeout: 120_000 }, () => onPhone(async (small) => {
  await small.goto(`${server.url}#g=dots-and-boxes:3x3&m=h0,0`);
  await small.waitForSelector('.board-boxes');
  const tap = async (/** @type {string} */ selector, /** @type {number} */ n, dy = 0) => {
    const box = await small.locator(`svg.board ${selector}`).nth(n).boundingBox();
    assert.ok(box);
    await small.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2 + dy);
  };
  await tap('.dot', 5);
  await small.waitForSelector('.preview .ghost-edge', { state: 'attached' });
  assert.match(await small.locator('.remark').textContent() ?? '', /Tap again/);
  assert.match(small.url(), /m=h0,0(?:&|$)/);
  await tap('.edge', 0);
  await small.waitForFunction(() => document.querySelector('.remark')?.textContent === 'This line is drawn already');
  assert.match(small.url(), /m=h0,0(?:&|$)/);
  await tap('.dot', 5);
  await tap('.dot', 5);
  await small.waitForFunction(() => /m=h0,0\.[hv]/.test(location.hash));
  await small.goto(`${server.url}#g=connect-four:4x4&m=1.1.1.1`);
  await small.waitForSelector('.board-drop');
  await tap('.slot', 4);
  await small.waitForFunction(() => document.querySelector('.remark')?.textContent === 'Column 1 is full');
  // Cells are named by letters, which stand below the numbers.
  assert.deepEqual(await small.locator('svg.board .label:not(.row)').allTextContents(), [...'1234abcd']);
}));

test('no message moves the board of a phone', { timeout: 120_000 }, () => onPhone(async (small) => {
  await small.goto(`${server.url}#g=connect-four&m=4.4&o=random`);
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
}));

tour('what is shared in a side line is the game that was played, and files are named after it', async () => {
  await open('g=connect-four:4x5&m=3.3.2(5.1).3.4.1.5&v=4~3:1');
  await page.waitForSelector('.board-drop');
  await page.getByRole('button', { name: 'Share and export' }).click();
  await page.waitForSelector('.copyable >> nth=4');
  assert.deepEqual((await page.locator('.copyable input').evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value))).slice(1), ['3 3 2 3 4 1 5', '3 3 5 1', '5/5/2o2/o1x1x x', '3323415 1-0']);
  for (const [button, name] of /** @type {[string, RegExp][]} */ ([['Save the game', /^connect-four-4x5-\d{4}-\d\d-\d\d\.json$/], ['Save with names and numbers', /^connect-four-4x5-[\d-]{10}\.pgn$/], ['Save the board as SVG', /^connect-four-4x5-[\d-]{10}-move-4\.svg$/]])) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()]);
    assert.match(file.suggestedFilename(), name);
    await shows('dialog .note', /^Saved as connect-four-4x5/);
    const text = readFileSync(await file.path(), 'utf8');
    if (name.source.includes('svg')) assert.doesNotMatch(text, /<circle class="legal"/);
    else assert.deepEqual(text.match(/\b[1-5]\b(?=["\s])/g)?.slice(-7), [...'3323415'], text);
  }
});

tour('the review counts the best moves of each side', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('g=connect-four:4x5&m=3.3.2(5).3.4.1.5&v=5');
  await page.keyboard.press('l');
  await page.locator('.review select').selectOption('100ms');
  await page.locator('.review .primary').click();
  await until(() => document.querySelector('.review progress')?.hasAttribute('hidden') === true && document.querySelector('.review-summary td') !== null);
  const cells = await page.locator('.review-summary tbody tr').evaluateAll((rows) => rows.map((row) => row.children[3]?.textContent ?? ''));
  for (const text of cells) assert.match(text, /^\d+ of \d+$/);
  assert.deepEqual(await findings(page), []);
});

tour('a hint leaves the values on the board', async () => {
  await open('g=reversi&m=f5.d6&d=win');
  await page.waitForSelector('.overlay');
  await page.keyboard.press('a');
  await page.waitForSelector('.hint-ring');
  await until(() => { const value = document.querySelector('.overlay'); return value !== null && getComputedStyle(value).opacity === '1'; });
  await shows('.legend', /expected lead at the end, in discs/);
});

tour('light page, quick first paint, quick replies', async () => {
  const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).map((name) => join(PAGE, name)).filter((name) => statSync(name).isFile());
  // A page without a server loads more, the modules of its engine.
  const loaded = files.filter((name) => !/transport\/(?:engine|local|module)\.js$/.test(name));
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
