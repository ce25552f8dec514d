/** Loads the compiled engine and its files of weights, and shows how far they are. */

import { t } from '../i18n.js';
import { Refused } from './refused.js';

/** A function with two instructions on vectors of 128 bits: whether the browser has those of the engine (WebAssembly SIMD). */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** Addresses of the weights that were loaded. @type {Set<string>} */
export const weights = new Set();

/** @type {() => void} */
let settle = () => undefined;
/** Settles when the engine is loaded. @type {Promise<void>} */
export const loaded = new Promise((resolve) => { settle = resolve; });

/** @type {((done: number, trouble?: string) => void) | null} */
let watcher = null;

/**
 * Calls back with the part of the file that is loaded, 0 to 1, and at the end with what went wrong.
 * @param {(done: number, trouble?: string) => void} found
 */
export function watchLoading(found) {
  watcher = found;
}

/**
 * @param {URL} url
 * @returns {Promise<WebAssembly.Module>}
 */
export function loadModule(url) {
  return watched(async () => {
    if (!globalThis.WebAssembly || !WebAssembly.validate(SIMD)) throw new Refused(501, t('engine.no-simd'));
    // A damaged one may have been kept by the browser: the second one comes from the host.
    const module = await compiled(url).catch((err) => (err instanceof Refused ? Promise.reject(err) : compiled(url, 'reload'))).catch((err) => {
      throw err instanceof Refused ? err : new Refused(500, t('engine.damaged'));
    });
    settle();
    return module;
  });
}

/**
 * The bytes of a file of weights.
 * @param {URL} url
 * @param {boolean} again whether those in the caches of the browser are damaged
 * @returns {Promise<ArrayBuffer>}
 */
export function loadWeights(url, again) {
  return watched(async () => {
    const response = await counted(url, again ? 'reload' : 'default');
    weights.add(url.href);
    return response.arrayBuffer().catch(() => {
      throw new Refused(503, t('engine.not-loaded'));
    });
  });
}

/**
 * Loads something, and reports its end to the watcher.
 * @template T
 * @param {() => Promise<T>} load
 */
async function watched(load) {
  try {
    const loaded = await load();
    watcher?.(1);
    return loaded;
  } catch (err) {
    watcher?.(1, err instanceof Error ? err.message : String(err));
    throw err;
  }
}

/**
 * @param {URL} url
 * @param {RequestCache} [cache]
 */
async function compiled(url, cache) {
  return WebAssembly.compileStreaming(await counted(url, cache));
}

/**
 * A file, whose bytes are counted as they come.
 * @param {URL} url
 * @param {RequestCache} [cache]
 */
async function counted(url, cache) {
  const response = await fetch(url, { cache }).catch(() => null);
  if (!response?.ok) throw new Refused(503, t('engine.not-loaded'));
  const body = response.body?.pipeThrough(counter(Number(response.headers.get('content-length'))));
  return new Response(body, { headers: { 'content-type': response.headers.get('content-type') ?? '' } });
}

/**
 * Counts the bytes that pass. The length of a compressed answer is that of its compressed form, so that the part is a guess.
 * @param {number} length
 */
function counter(length) {
  let done = 0;
  /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const stream = new TransformStream({
    transform(piece, controller) {
      done += piece.byteLength;
      watcher?.(length > 0 ? Math.min(0.99, done / length) : 0.5);
      controller.enqueue(piece);
    },
  });
  return stream;
}
