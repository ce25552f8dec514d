/** Tours: the review of a game. */

import assert from 'node:assert/strict';
import { findings } from './checks.js';
import { address, open, page, shot, shows, tour, until } from './tour.js';

export function reviewTours() {
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

  tour('an imported game with a known blunder is reviewed', async () => {
    await open('');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const saved = JSON.stringify({ v: 1, game: 'connect-four:4x5', position: null, players: ['human', 'human'], moves: ['3', '3', '2', '3', '4', '1', '5'], result: null });
    await page.getByRole('textbox', { name: 'Paste' }).fill(saved);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForSelector('.board-drop');
    // Time enough for proofs, which end a search, even beside other programs.
    await page.locator('.review select').selectOption('10s');
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
}
