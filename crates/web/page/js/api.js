/** Requests of the page: to the server that it comes from, or, where the page is a folder of files, to the engine in web workers. */

import * as http from './transport/http.js';

export { Refused, isAbort } from './transport/refused.js';

/** @typedef {Pick<typeof http, 'get' | 'post' | 'postForText' | 'events' | 'watchConnection' | 'watchLoading' | 'prepare'>} Transport */

/** Pause before the files are kept, in which weights are loaded and the first move is made. */
const QUIET_MS = 3000;

/** The folder of the engine, which `scripts/site` names in the page; none on the page of a server. */
const folder = globalThis.document?.querySelector('meta[name="banyan-engine"]')?.getAttribute('content');

/** Whether a server answers: it has matches, external engines, and several threads. */
export const isServed = !folder;

/** @type {Transport} */
const transport = folder ? (await import('./transport/local.js')).local(new URL(folder, document.baseURI)) : http;

export const { get, post, postForText, events, watchConnection, watchLoading, prepare } = transport;

if (!isServed) void keepFiles();

/**
 * A page without a server keeps its files, so that it opens without a network; if that is refused, it works as long as there is one. It does
 * so some seconds after the engine is loaded, which would share the network with it.
 */
async function keepFiles() {
  const { loaded, weights } = await import('./transport/module.js');
  await loaded;
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  try {
    const { serviceWorker } = navigator;
    await serviceWorker?.register(new URL('sw.js', document.baseURI));
    if (!serviceWorker?.controller) await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
    // Those that came before the service worker, from the cache of the browser.
    for (const url of weights) await fetch(url);
  } catch {
    // Without storage, without HTTPS, or without a network.
  }
}
