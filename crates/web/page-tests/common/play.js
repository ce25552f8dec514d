/** Tours: games of each kind, variations, holes, editing, links, keys, clocks, fingers. */

import assert from 'node:assert/strict';
import { address, counts, forgive, hash, open, page, phoneTour, place, ply, settled, shot, shows, tour, turn, until } from './tour.js';

export function playTours() {
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
    forgive(/400/);
  });

  tour('a new game like the one before begins anew', async () => {
    await open('g=connect-four:4x4&m=1.2.3');
    await until(() => document.querySelectorAll('.ply').length === 3);
    await page.keyboard.press('g');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await address(/^g=connect-four:4x4$/);
    await counts('.ply', 0);
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
    forgive(/400/);
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
    forgive(/400/);
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
    forgive(/400/);
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
    forgive(/400/);
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

  tour('buttons fit a finger', async () => {
    await page.setViewportSize({ width: 375, height: 780 });
    await open('g=reversi&m=f5.d6');
    await page.waitForSelector('.candidates tbody tr');
    const small = await page.evaluate(() => [...document.querySelectorAll('button:not(.ply, .term), a, select')].filter((el) => el.checkVisibility() && !el.matches('.skip')).map((el) => ({ el, box: el.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 43.5 || box.width < 43.5).map(({ el }) => el.outerHTML.slice(0, 80)));
    assert.deepEqual(small, []);
    await shot('small');
  });

  phoneTour('on a small board under a finger, the first tap shows a move and the second one makes it', async (small) => {
    await small.goto(`${place.url}#g=dots-and-boxes:9x9`);
    await small.waitForSelector('.board-boxes');
    const box = await small.locator('svg.board .edge').nth(12).boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await small.touchscreen.tap(x, y);
    await small.waitForSelector('.preview .ghost-edge', { state: 'attached' });
    assert.ok(!small.url().includes('m='));
    await small.touchscreen.tap(x, y);
    await small.waitForFunction(() => location.hash.includes('m=h1,3'));
    // A phone shows nothing about keys.
    assert.equal(await small.getByRole('button', { name: 'Keys' }).count(), 0);
    const labels = await small.evaluate(() => [...document.querySelectorAll('[title], [aria-label]')].map((el) => `${el.getAttribute('title')} ${el.getAttribute('aria-label')}`).join('\n') + document.body.textContent);
    assert.doesNotMatch(labels, /\((?:[a-z]|Enter|Shift\+n|[\u2190-\u2193])\)|[Kk]eys?\b|Ctrl/);
  });

  phoneTour('on a phone a size is typed over, the fields keep the focus, and one that does not fit starts nothing', async (small) => {
    await small.goto(place.url);
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
      assert.deepEqual([await small.locator('#size-rows').textContent(), small.url()], [line, place.url]);
      assert.equal(await rows.evaluate((input) => input === document.activeElement), true);
    }
    await rows.fill('3');
    await small.getByRole('button', { name: 'Start', exact: true }).tap();
    await small.waitForFunction(() => location.hash.startsWith('#g=dots-and-boxes:3x2'));
  });

  phoneTour('who plays is not shown the best moves, and who analyses is', async (small) => {
    const engine = (/** @type {boolean} */ on) => small.waitForSelector(`.switch[aria-checked="${on}"]`);
    await small.goto(`${place.url}#g=connect-four&m=4.4`);
    await engine(false);
    await small.goto(place.url);
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
  });

  phoneTour('on a phone a tap between edges draws nothing, and a tap that makes no move says why', async (small) => {
    await small.goto(`${place.url}#g=dots-and-boxes:3x3&m=h0,0`);
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
    await small.goto(`${place.url}#g=connect-four:4x4&m=1.1.1.1`);
    await small.waitForSelector('.board-drop');
    await tap('.slot', 4);
    await small.waitForFunction(() => document.querySelector('.remark')?.textContent === 'Column 1 is full');
    // Cells are named by letters, which stand below the numbers.
    assert.deepEqual(await small.locator('svg.board .label:not(.row)').allTextContents(), [...'1234abcd']);
  });
}

/** Makes a move of the human to move, by a click on the board at the place of a preview. */
async function clickLegalMove() {
  const places = await page.evaluate(async () => {
    const fields = new URLSearchParams(location.hash.slice(1));
    const moves = (fields.get('m') ?? '').split('.').filter(Boolean);
    const { post } = await import(new URL('js/api.js', document.baseURI).href);
    const state = await post('api/state', { game: fields.get('g'), position: null, moves });
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
  const levels = await page.evaluate(async () => {
    const { get } = await import(new URL('js/api.js', document.baseURI).href);
    return (await get('api/about')).levels.map((/** @type {any} */ level) => level.name);
  });
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
