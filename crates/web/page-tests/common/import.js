/** Tours: what is shared, and what is imported. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findings } from './checks.js';
import { hash, open, page, shot, shows, tour, until } from './tour.js';

export function importTours() {
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
}

/** @param {string} text */
async function imports(text) {
  await open('');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('textbox', { name: 'Paste' }).fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}
