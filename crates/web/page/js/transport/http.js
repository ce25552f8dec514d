/** Requests to the server that the page comes from. Paths are relative to the folder of the page, which may lie below a prefix. */

import { refusalText } from '../i18n.js';
import { Refused } from './refused.js';

/** The folder of the page. */
const ROOT = new URL('../..', import.meta.url);

/** @type {Set<(online: boolean) => void>} */
const watchers = new Set();
let online = true;

/**
 * Calls back when the connection to the server is lost or restored.
 * @param {(online: boolean) => void} watcher
 */
export function watchConnection(watcher) {
  watchers.add(watcher);
}

/**
 * A server has its engine.
 * @param {(done: number, trouble?: string) => void} _found
 */
export function watchLoading(_found) {}

/**
 * A server has its weights, too.
 * @param {string} [_game]
 */
export function prepare(_game) {}

/** @param {boolean} now */
function connection(now) {
  if (now === online) return;
  online = now;
  for (const watcher of watchers) watcher(now);
  if (!now) void knock();
}

/** Polls the server until it answers. */
async function knock() {
  while (!online) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await fetch(new URL('api/about', ROOT)).then(() => connection(true), () => undefined);
  }
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function send(path, init) {
  let response;
  try {
    response = await fetch(new URL(path, ROOT), init);
  } catch (err) {
    if (init.signal?.aborted) throw err;
    connection(false);
    throw new Refused(0, '');
  }
  connection(true);
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Refused(response.status, refusalText(body) || response.statusText, body.field);
  }
  return response;
}

/**
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @param {string} [method]
 * @returns {RequestInit}
 */
function request(body, signal, method = body === undefined ? 'GET' : 'POST') {
  /** @type {Record<string, string>} */
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal };
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  return (await send(path, request(undefined, signal))).json();
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  const response = await send(path, request(body, signal));
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @param {unknown} body
 */
export async function postForText(path, body) {
  return (await send(path, request(body))).text();
}

/**
 * Reads server-sent events until the stream ends, or until `signal` aborts it, which also ends the work on the server.
 * @param {string} path
 * @param {unknown} body `undefined` for GET
 * @param {AbortSignal} signal
 * @param {(event: string, data: any) => void} handle
 */
export async function events(path, body, signal, handle) {
  const init = request(body, signal);
  const response = await send(path, { ...init, headers: { ...init.headers, accept: 'text/event-stream' } });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser((event, data) => {
    if (event === 'error') throw new Refused(400, refusalText(JSON.parse(data)) || data);
    handle(event, JSON.parse(data));
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.push(value);
    }
  } catch (err) {
    if (err instanceof Refused || signal.aborted) throw err;
    if (err instanceof TypeError) {
      connection(false);
      throw new Refused(0, '');
    }
    throw err;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Splits a text/event-stream into events, regardless of how it is split into pieces. */
export class EventParser {
  #rest = '';
  #emit;

  /** @param {(event: string, data: string) => void} emit */
  constructor(emit) {
    this.#emit = emit;
  }

  /** @param {string} piece */
  push(piece) {
    const blocks = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#block(block);
  }

  /** @param {string} block */
  #block(block) {
    let event = 'message';
    const data = [];
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon <= 0) continue;
      const value = line.slice(colon + 1).replace(/^ /, '');
      if (line.slice(0, colon) === 'event') event = value;
      if (line.slice(0, colon) === 'data') data.push(value);
    }
    if (data.length > 0) this.#emit(event, data.join('\n'));
  }
}
