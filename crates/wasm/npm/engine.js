/** The engine: loaded once, with the weights that a request turns out to need. */

import instantiate, { Engine } from './banyan_wasm.js';
import { BanyanError, asError } from './errors.js';

/** The files of the package; bundlers find them by these expressions. @type {Record<string, URL>} */
const FILES = {
  'banyan_wasm_bg.wasm': new URL('./banyan_wasm_bg.wasm', import.meta.url),
  'reversi-patterns.weights': new URL('./reversi-patterns.weights', import.meta.url),
  'reversi-priors.weights': new URL('./reversi-priors.weights', import.meta.url),
};
const MODULE = 'banyan_wasm_bg.wasm';

/** @type {((name: string) => Promise<ArrayBuffer | Uint8Array>) | undefined} */
let readByUser;
/** @type {Promise<Engine> | undefined} */
let engine;
/** Weights that are loaded or on their way. @type {Map<string, Promise<void>>} */
const weights = new Map();

/**
 * The bytes of a file, in Node or in a browser.
 * @param {URL} url
 * @returns {Promise<Uint8Array>}
 */
async function bytesOf(url) {
  if (url.protocol === 'file:') {
    // Bundlers for browsers must not look for this module.
    const name = 'node:fs/promises';
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Reads a file of the package.
 * @param {string} name
 * @param {string} code
 */
async function read(name, code) {
  try {
    const url = FILES[name];
    if (readByUser) return await readByUser(name);
    if (url) return await bytesOf(url);
    throw new Error('unknown file');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const error = `${name}: ${why}: expected this file of the package; serve it beside banyan_wasm.js, or give its bytes by init({ read })`;
    throw new BanyanError({ error, code }, cause);
  }
}

async function start() {
  const bytes = await read(MODULE, 'not-loaded');
  try {
    await instantiate({ module_or_path: bytes });
    return new Engine();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const error = `${MODULE}: ${why}: expected WebAssembly with SIMD and some 100 MB of memory; use a newer browser or Node 18.20, or close other pages`;
    throw new BanyanError({ error, code: 'not-loaded' }, cause);
  }
}

/** @param {{ read?: (name: string) => Promise<ArrayBuffer | Uint8Array> }} options */
export async function init({ read: given } = {}) {
  if (given) readByUser = given;
  await loaded();
}

/** The engine. One that could not be loaded is loaded again by the next request. */
function loaded() {
  engine ??= start().catch((error) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

/**
 * Loads a file of weights. One that could not be loaded is loaded again by the next request.
 * @param {Engine} ready
 * @param {string} name
 */
function loadWeights(ready, name) {
  const loading = read(name, 'no-weights').then((bytes) => ready.load(name, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
  weights.set(name, loading);
  loading.catch(() => weights.delete(name));
  return loading;
}

/**
 * Does the work of a request, again with the weights that it turns out to need.
 * @template T
 * @param {(ready: Engine) => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function request(work) {
  const ready = await loaded();
  const waited = new Set();
  for (;;) {
    try {
      return await work(ready);
    } catch (thrown) {
      const error = asError(thrown);
      const name = error instanceof BanyanError && error.code === 'no-weights' ? error.field : undefined;
      // Once they are loaded, another refusal would be a fault.
      if (name === undefined || waited.has(name)) throw error;
      waited.add(name);
      try {
        await (weights.get(name) ?? loadWeights(ready, name));
      } catch (refusal) {
        throw asError(refusal);
      }
    }
  }
}
