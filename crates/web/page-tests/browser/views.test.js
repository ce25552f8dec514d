/** The views of the page of a server: those of every page, and those that only a server has. */

import { QUIET, VIEWS, each, shown, text, visitViews } from '../common/views.js';
import { serve } from './server.js';

/** A server with a match and a sweep that are done. */
async function served() {
  const server = await serve();
  const start = async (/** @type {string} */ what, /** @type {object} */ body) => {
    const response = await fetch(`${server.url}api/${what}`, { method: 'POST', body: JSON.stringify(body) });
    const { id } = /** @type {any} */ (await response.json());
    const state = async () => /** @type {any} */ (await (await fetch(`${server.url}api/matches/${id}`)).json()).state;
    while (await state() !== 'done') await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await start('matches', { game: 'connect-four:4x4', players: ['uct', 'greedy', 'random'], pairs: 3, budget: 'playouts=20' });
  await start('sweeps', { game: 'connect-four:4x4', player: 'uct', against: 'uct', vary: 'c=0.2..1/3', pairs: 4, budget: 'playouts=20' });
  return server;
}

/** Opens a link in a list that is drawn anew while it is pointed at. @param {import('playwright-core').Locator} link */
const opened = (link) => link.evaluate((/** @type {HTMLElement} */ el) => el.click());
/** @type {import('../common/views.js').Views} */
const SERVED = {
  'form of a match': { at: 'matches', act: shown('.match-row') },
  'form of a sweep': { at: 'matches', act: each(async (page) => page.getByRole('radio', { name: await text(page, 'matches.sweep') }).check(), shown('.match-row')) },
  'match': { at: 'matches', act: each((page) => opened(page.locator('.match-row').last()), shown('.record')) },
  'sweep': { at: 'matches', act: each((page) => opened(page.locator('.match-row').first()), shown('.chart .bar')) },
  'server that is gone': {
    at: `g=connect-four&m=4.3&v=1${QUIET}`,
    act: each(shown('.stone'), (page) => page.route('**/api/**', (route) => route.abort()), (page) => page.locator('.controls button').nth(5).click(), shown('.offline:not([hidden])')),
  },
};

visitViews(served, { ...VIEWS, ...SERVED });
