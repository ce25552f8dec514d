/**
 * Takes the pictures of the page for docs/pictures: `BANYAN=target/debug/banyan node crates/web/page-tests/pictures.js docs/pictures`.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './common/browser.js';
import { serve } from './browser/server.js';

const folder = process.argv[2] ?? '.';
mkdirSync(folder, { recursive: true });

const GAME = 'd3.e3.f2.c4.f5.f6.b5.f4.f3.c5.g4.h3.b6.g3.c6.e2.f1.d1.d2.c2.e6.c1.g5.h4.g6.f7.e8.c3.h5.f8.h2.e1.b3.d8.e7.g1.b1.a1.g2.d7.c8.d6.c7.h1.g7.a6.b4.a2.b2.h8.h7.b8.b7.a7.a5.a8.pass.a4.a3.h6.g8';

const server = await serve();
const { context, close } = await launch({ viewport: { width: 1180, height: 800 } });

/**
 * @param {string} name
 * @param {string} hash
 * @param {(page: import('playwright-core').Page) => Promise<void>} act
 */
async function picture(name, hash, act) {
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('banyan.engine', 'true'));
  await page.goto(`${server.url}#${hash}`);
  await act(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}

try {
  await picture('page-analysis', 'g=connect-four:8x9,hole=d3&m=5.5.5.5.6.4.4', async (page) => {
    await page.waitForSelector('.candidates tbody tr:nth-child(4)');
    await page.waitForTimeout(4000);
    await page.hover('.candidates tbody tr:nth-child(2) .line');
  });
  await picture('page-review', `g=reversi&m=${GAME}`, async (page) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('l');
    await page.locator('.review').getByRole('button', { name: 'Review the game' }).click();
    await page.waitForFunction(() => document.querySelector('.review progress')?.hasAttribute('hidden') === true, null, { timeout: 120_000 });
    for (let n = 0; n < 9; n++) {
      await page.keyboard.press('Shift+N');
      await page.waitForTimeout(150);
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.mouse.move(0, 0);
  });
  await picture('page-match', 'matches', async (page) => {
    await page.locator('.match-form select').first().selectOption('dots-and-boxes');
    await page.getByLabel('Player 2').first().selectOption('graph');
    await page.getByLabel('Player 1').first().selectOption('uct');
    await page.getByRole('textbox', { name: 'Board' }).fill('4x4');
    await page.getByLabel('Pairs').fill('60');
    await page.getByLabel('Budget of a move').fill('playouts=3000');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.record').length >= 60 && document.querySelectorAll('.live-board .box').length > 4, null, { timeout: 180_000 });
  });
} finally {
  await close();
  await server.stop();
}
