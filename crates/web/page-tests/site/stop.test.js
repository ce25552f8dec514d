/**
 * The time in which the page without a server ends a search: one that is switched off, a new position and a closed panel end it
 * within 150 ms; small requests do not wait for a search. Other programs may run, so that the quickest of several times counts; all are
 * printed. With BANYAN_DEEP=1 for more players and games.
 */

import assert from 'node:assert/strict';
import { open, page, tour, visit } from '../common/tour.js';
import { host } from './files.js';

/** The longest time until something that was told has happened, in milliseconds. */
const LIMIT_MS = 150;
/** Repetitions of each case. */
const TIMES = 5;

/**
 * A worker that notes when searches begin and end, in the page.
 * @typedef {{ searches: { name: string, begun: number, ended: number }[] }} Notes
 */

/** Notes the searches of all workers, in the browser, before the page is loaded. */
function watchWorkers() {
  /** @type {Notes['searches']} */
  const searches = [];
  Object.assign(globalThis, { searches });
  globalThis.Worker = class extends Worker {
    /** @type {Map<number, Notes['searches'][0]>} */
    #running = new Map();

    /** @param {string | URL} url @param {WorkerOptions} [options] */
    constructor(url, options) {
      super(url, options);
      this.addEventListener('message', ({ data }) => {
        if (data.kind === 'begun') {
          const search = { name: '', begun: performance.now(), ended: 0 };
          searches.push(search);
          this.#running.set(data.id, search);
        } else if (data.kind !== 'event') this.#end(data.id);
      });
    }

    terminate() {
      super.terminate();
      for (const id of this.#running.keys()) this.#end(id);
    }

    /** @param {number} id */
    #end(id) {
      const search = this.#running.get(id);
      if (search) search.ended = performance.now();
      this.#running.delete(id);
    }
  };
}

/**
 * The times from an act to the end of all searches that run, in order.
 * @param {() => Promise<unknown>} begin
 * @param {string} act in the browser, a body of a function
 */
async function timesOf(begin, act) {
  const times = [];
  for (let n = 0; n < TIMES; n++) {
    await begin();
    await page.waitForFunction(() => /** @type {any} */ (globalThis).searches.some((/** @type {any} */ one) => !one.ended));
    // Not always at the same place of a slice.
    await page.waitForTimeout(150 + 17 * n);
    times.push(await page.evaluate(async (body) => {
      const running = /** @type {Notes} */ (/** @type {any} */ (globalThis)).searches.filter((one) => !one.ended);
      const start = performance.now();
      new Function(body)();
      while (running.some((one) => !one.ended)) await new Promise((resolve) => setTimeout(resolve, 1));
      return Math.max(0, ...running.map((one) => one.ended)) - start;
    }, act));
  }
  return times.sort((a, b) => a - b);
}

/**
 * @param {string} name
 * @param {number[]} times in order
 */
function check(name, times) {
  const [best = 0, median = 0, worst = 0] = [times[0], times[times.length >> 1], times.at(-1)];
  console.log(`${name}: quickest ${best.toFixed(0)} ms, median ${median.toFixed(0)} ms, slowest ${worst.toFixed(0)} ms`);
  assert.ok(best <= LIMIT_MS, `${name}: ${times.map((time) => time.toFixed(0)).join(' ')} ms, expected at most ${LIMIT_MS}`);
}

/** What the page does. @type {Record<string, string>} */
const ACTS = {
  'switched off': "document.querySelector('.switch').click()",
  'a new position': "document.querySelectorAll('.controls button')[1].click()",
  'the panel closed': "location.hash = ''",
};

visit(() => host(process.env.SITE));

/** Players that search in slices, and others that do not. @type {Record<string, string[]>} */
const SEARCHES = process.env.BANYAN_DEEP ? { mcgs: ['connect-four', 'reversi', 'dots-and-boxes'], pvs: ['reversi'], best: ['reversi'] } : { mcgs: ['connect-four'], best: ['reversi'] };

for (const [player, games] of Object.entries(SEARCHES)) {
  for (const game of games) {
    tour(`an analysis of ${game} by ${player} ends when it is told to`, async () => {
      const move = { 'connect-four': '4', reversi: 'f5' }[game] ?? 'h0,0';
      for (const [name, act] of Object.entries(ACTS)) {
        const begin = async () => {
          await open('');
          await page.evaluate(() => localStorage.setItem('banyan.limit', JSON.stringify('infinite')));
          await open(`g=${game}&m=${move}&v=1&e=${player}`);
          const button = page.getByRole('switch').first();
          await page.waitForSelector('.turn:not(:empty)');
          if (await button.getAttribute('aria-checked') !== 'true') await button.click();
        };
        check(`${player}, ${game}, ${name}`, await timesOf(begin, act));
      }
    }, { setUp: (one) => one.addInitScript(watchWorkers) });
  }
}

tour('a review and a proof end when they are told to', async () => {
  const review = async () => {
    await open('g=reversi&m=f5.d6.c3.d3.c4.f4&o=random&v=0');
    await page.locator('.review .primary').click();
  };
  check('review, stopped', await timesOf(review, "[...document.querySelectorAll('.review button')].find((button) => button.textContent === 'Stop').click()"));
  const solve = async () => {
    await open('');
    await page.evaluate(async () => {
      const { events } = await import(new URL('js/api.js', document.baseURI).href);
      const abort = new AbortController();
      Object.assign(globalThis, { abort });
      void events('api/solve', { spot: { game: 'connect-four', position: null, moves: [] } }, abort.signal, () => undefined).catch(() => undefined);
    });
  };
  check('solve, stopped', await timesOf(solve, 'abort.abort()'));
}, { setUp: (one) => one.addInitScript(watchWorkers) });

tour('small requests do not wait for a search', async () => {
  await open('g=reversi&m=f5&v=1&e=best');
  await page.waitForSelector('.candidates tbody tr');
  const times = await page.evaluate(async () => {
    const { post } = await import(new URL('js/api.js', document.baseURI).href);
    const times = [];
    for (let n = 0; n < 30; n++) {
      const start = performance.now();
      await post('api/state', { game: 'connect-four', position: null, moves: ['4', '3', '2', '1', '5', '6'].slice(0, 1 + n % 6) });
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return times.sort((a, b) => a - b);
  });
  check('state, while another game is analysed', times);
});
