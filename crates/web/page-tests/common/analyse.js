/** Tours: the analysis, its player, what it shows on the board, proofs, and the search graph. */

import { address, open, page, settled, shot, shows, tour, until } from './tour.js';

export function analyseTours() {
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

  tour('a hint leaves the values on the board', async () => {
    await open('g=reversi&m=f5.d6&d=win');
    await page.waitForSelector('.overlay');
    await page.keyboard.press('a');
    await page.waitForSelector('.hint-ring');
    await until(() => { const value = document.querySelector('.overlay'); return value !== null && getComputedStyle(value).opacity === '1'; });
    await shows('.legend', /expected lead at the end, in discs/);
  });
}
