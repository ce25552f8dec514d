/** Loads the compiled engine, and shows how far it is. */

import { t } from '../i18n.js';
import { Refused } from './refused.js';

/** A function with two instructions on vectors of 128 bits: whether the browser has those of the engine (WebAssembly SIMD). */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** @type {((done: number, trouble?: string) => void) | null} */
let watcher = null;

/**
 * Calls back with the part of the engine that is loaded, 0 to 1, and at the end with what went wrong.
 * @param {(done: number, trouble?: string) => void} found
 */
export function watchLoading(found) {
  watcher = found;
}

/**
 * @param {URL} url
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(url) {
  try {
    if (!globalThis.WebAssembly || !WebAssembly.validate(SIMD)) throw new Refused(501, t('engine.no-simd'));
    const response = await fetch(url).catch(() => null);
    if (!response?.ok) throw new Refused(503, t('engine.not-loaded'));
    const counted = new Response(response.body?.pipeThrough(counter(Number(response.headers.get('content-length')))), { headers: { 'content-type': 'application/wasm' } });
    const module = await WebAssembly.compileStreaming(counted).catch(() => {
      throw new Refused(500, t('engine.damaged'));
    });
    watcher?.(1);
    return module;
  } catch (err) {
    watcher?.(1, err instanceof Error ? err.message : String(err));
    throw err;
  }
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
