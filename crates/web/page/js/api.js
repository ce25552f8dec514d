/** Requests of the page: to the server that it comes from, or, where the page is a folder of files, to the engine in web workers. */

import * as http from './transport/http.js';

export { Refused, isAbort } from './transport/refused.js';

/** @typedef {Pick<typeof http, 'get' | 'post' | 'postForText' | 'events' | 'watchConnection' | 'watchLoading'>} Transport */

/** The folder of the engine, which `scripts/site` names in the page; none on the page of a server. */
const folder = globalThis.document?.querySelector('meta[name="banyan-engine"]')?.getAttribute('content');

/** Whether a server answers: it has matches, external engines, and several threads. */
export const isServed = !folder;

/** @type {Transport} */
const transport = folder ? (await import('./transport/local.js')).local(new URL(folder, document.baseURI)) : http;

export const { get, post, postForText, events, watchConnection, watchLoading } = transport;

// A page without a server keeps its files, so that it opens without a network; if that is refused, it works as long as there is one.
if (!isServed) void globalThis.navigator?.serviceWorker?.register(new URL('sw.js', document.baseURI)).catch(() => undefined);
