/** Banyan in JavaScript: typed functions over the engine, of which index.d.ts has the documentation. */

import { init, request } from './engine.js';
import { BanyanError, asError } from './errors.js';

export { BanyanError, init };

/** @import { Engine } from './banyan_wasm.js' */
/** @typedef {string | { game: string, position?: string | null, moves?: readonly string[] }} Spot */
/** @typedef {{ readonly aborted: boolean, readonly reason?: unknown }} Signal */

/** The length of a slice, between which other work is done. */
const SLICE_MS = 25;
/** Budgets of searches, during which nothing else may happen, unless one is given. */
const USUAL = { analysis: '1s', move: '1s', solve: '10s', review: '500ms' };

/** @param {Spot} spot */
const whole = (spot) => ({ position: null, moves: [], ...(typeof spot === 'string' ? { game: spot } : spot) });

/**
 * @param {string} name
 * @param {object} body
 */
const text = (name, body) => request((engine) => engine.answer(name, JSON.stringify(body)));

/**
 * @param {string} name
 * @param {object} body
 */
const answer = async (name, body) => JSON.parse(await text(name, body));

export const about = () => answer('about', {});

/** @param {Spot} spot */
export const state = (spot) => answer('state', whole(spot));

/** @param {Spot} spot */
export async function legalMoves(spot) {
  const { legal } = await state(spot);
  return legal.map((/** @type {{ move: string }} */ { move }) => move);
}

/** @param {{ game: string, cells: string, to_move?: number | null }} edited */
export async function edit({ game, cells, to_move = null }) {
  const { position } = await answer('edit', { game, cells, to_move });
  return position;
}

/** @param {string | { text?: string, base64?: string, name?: string, game?: string }} file */
export const importGames = (file) => answer('import', typeof file === 'string' ? { text: file } : file);

/**
 * @param {Spot} spot
 * @param {{ players?: readonly [string, string] }} [options]
 */
export async function exportGame(spot, { players = ['', ''] } = {}) {
  const { forms } = await answer('export/text', { ...whole(spot), players });
  return forms;
}

/**
 * @param {Spot} spot
 * @param {{ structure?: boolean }} [options]
 */
export const drawing = (spot, { structure = false } = {}) => text('export/svg', { ...whole(spot), structure });

/** @param {Spot} spot @param {object} [options] */
export const analyse = (spot, options) => search('analysis', spot, options);

/** @param {Spot} spot @param {object} [options] */
export const chooseMove = (spot, options) => search('move', spot, options);

/** @param {Spot} spot @param {object} [options] */
export const solve = (spot, options) => search('solve', spot, options);

/** @param {Spot} spot @param {object} [options] */
export const review = (spot, options) => search('review', spot, options);

/**
 * Runs a search in slices.
 * @param {keyof typeof USUAL} name
 * @param {Spot} spot
 * @param {{ signal?: Signal, onProgress?: (event: any) => unknown, budget?: string, lines?: number | 'all' }} [options]
 */
function search(name, spot, { signal, onProgress, budget = USUAL[name], lines, ...more } = {}) {
  const isEndless = name === 'analysis' && budget === 'infinite';
  // By default an analysis values all moves.
  const body = { spot: whole(spot), budget, ...(lines === undefined || lines === 'all' ? {} : { lines }), ...more };
  return request(async (engine) => {
    refuseIfAborted(signal);
    const job = engine.begin(name, JSON.stringify(body));
    try {
      if (isEndless && !signal && !onProgress) throw endless('expected a signal or onProgress that ends it');
      if (isEndless && !job.pauses()) throw endless('expected a budget that ends, as this player cannot be interrupted');
      return await result(job, signal, onProgress);
    } finally {
      job.free();
    }
  });
}

/** @param {string} expected */
function endless(expected) {
  return new BanyanError({ error: `infinite: ${expected}; try budget: '1s'`, code: 'invalid-budget', field: 'budget' });
}

/** @param {Signal | undefined} signal */
function refuseIfAborted(signal) {
  if (!signal?.aborted) return;
  const error = 'aborted by its signal: expected a signal that is not aborted; ask again with another one';
  throw new BanyanError({ error, code: 'aborted' }, signal.reason);
}

/**
 * The last event of a job.
 * @param {{ step(ms: number, send: (event: string, json: string) => void): boolean, stop(): void }} job
 * @param {Signal | undefined} signal
 * @param {((event: any) => unknown) | undefined} onProgress
 */
async function result(job, signal, onProgress) {
  /** @type {{ event: string, json: string } | undefined} */
  let last;
  const send = (/** @type {string} */ event, /** @type {string} */ json) => {
    last = { event, json };
    if (event !== 'progress') return;
    if (onProgress && onProgress(JSON.parse(json)) === false) job.stop();
    // A search without pauses is aborted from within the callback.
    if (signal?.aborted) job.stop();
  };
  while (job.step(SLICE_MS, send)) {
    await turn();
    refuseIfAborted(signal);
  }
  refuseIfAborted(signal);
  if (!last) throw asError('{"error":"no answer from the engine: expected one; report the request","code":"internal"}');
  if (last.event === 'error') throw asError(last.json);
  return JSON.parse(last.json);
}

/** Lets timers, events and other promises have their turn, without the 4 ms that a browser adds to timers. */
function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });
}
