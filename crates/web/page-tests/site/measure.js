/**
 * Measures the page without a server in Chromium, with a cold cache, a network of 20 Mbit/s and 40 ms, and a slowed processor:
 * `SITE=DIR node crates/web/page-tests/site/measure.js [--rate 4] [--minutes 5]`, where DIR was written by `scripts/site`, with compressed
 * twins. Prints the time to the first board, to the first move, the bytes before it, and the memory of the tab in a long analysis.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { launch } from '../common/browser.js';
import { host } from './files.js';

/** @import { CDPSession } from 'playwright-core' */

const NETWORK = { offline: false, latency: 40, downloadThroughput: 20e6 / 8, uploadThroughput: 5e6 / 8 };
/** A budget that takes no time, so that only loading and starting are measured. */
const BUDGET = '50ms';

/** @param {string} name @param {number} usual */
const option = (name, usual) => (process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : usual);
const rate = option('--rate', 4);
const minutes = option('--minutes', 5);

const site = await host(process.env.SITE);

/**
 * A page with a cold cache, slowed with its workers where Chromium can.
 * @param {(page: import('playwright-core').Page) => Promise<void>} body
 */
async function cold(body) {
  const { context, close } = await launch({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await slowed(session);
  await body(page);
  await close();
}

/** Says once which part could not be slowed. @type {Set<string>} */
const notes = new Set();

/** @param {CDPSession} session */
async function slowed(session) {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  if (rate > 1) await session.send('Emulation.setCPUThrottlingRate', { rate });
  // Workers have separate targets, whose requests and processor are not slowed with the page.
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false });
  let n = 0;
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    /** @param {string} method @param {object} params */
    const send = (method, params = {}) => session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: ++n, method, params }) }).catch(() => undefined);
    void send('Network.enable');
    void send('Network.emulateNetworkConditions', NETWORK);
    if (rate > 1) void send('Emulation.setCPUThrottlingRate', { rate });
    void send('Runtime.runIfWaitingForDebugger');
    session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
      const { error } = JSON.parse(message);
      if (from === sessionId && error) notes.add(`${targetInfo.type}: ${error.message}`);
    });
  });
}

/** Memory of its own of the largest process of Chromium that shows a page, in MiB: without files that processes share. */
function memoryMib() {
  const pids = execFileSync('ps', ['-eo', 'pid=,args=']).toString().split('\n').filter((line) => line.includes('--type=renderer')).map((line) => Number.parseInt(line, 10));
  const own = (/** @type {number} */ pid) => {
    try {
      return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  return Math.max(0, ...pids.map(own));
}

const GAMES = ['connect-four', 'dots-and-boxes', 'reversi'];

console.log(`processor slowed ${rate} times, 20 Mbit/s, 40 ms`);
for (const game of GAMES) {
  await cold(async (page) => {
    site.asked.length = 0;
    const start = Date.now();
    await page.goto(`${site.url}#g=${game}&x=best&b=${BUDGET}`, { waitUntil: 'commit' });
    await page.waitForSelector('svg.board');
    const board = Date.now() - start;
    await page.waitForFunction(() => /m=/.test(location.hash) && document.querySelectorAll('.ply').length > 0, undefined, { timeout: 300_000 });
    const first = Date.now() - start;
    const bytes = site.asked.reduce((sum, one) => sum + one.bytes, 0);
    console.log(`${game}: first board ${board} ms; first move of best ${first} ms, with a budget of ${BUDGET}; ${(bytes / 1e6).toFixed(2)} MB before it, ${site.asked.length} requests`);
  });
}
for (const note of notes) console.log(`not slowed: ${note}`);

for (const player of minutes > 0 ? ['mcgs', 'best'] : []) {
  const { context, close } = await launch({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    localStorage.setItem('banyan.engine', 'true');
    localStorage.setItem('banyan.limit', JSON.stringify('infinite'));
  });
  await page.goto(`${site.url}#g=reversi&m=f5.d6.c3.d3.c4&e=${player}`);
  const found = [];
  const end = Date.now() + minutes * 60_000;
  for (let n = 0; Date.now() < end; n++) {
    await page.waitForTimeout(10_000);
    found.push(Math.round(memoryMib()));
    // Every half minute another position.
    if (n % 3 === 2) await page.keyboard.press(['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'End'][(n / 3 | 0) % 4] ?? 'End');
  }
  console.log(`${player}, ${minutes} minutes of analysis: ${found.join(' ')} MiB, most ${Math.max(...found)}`);
  await close();
}
await site.stop();
