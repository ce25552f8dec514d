/**
 * Requests to the engine in web workers. Small requests have a separate worker, so that a search does not delay them; each kind of
 * search has one too. All share one compiled module.
 */

import { refusalText, t } from '../i18n.js';
import { Refused } from './refused.js';
import { loadModule, loadWeights, watchLoading } from './module.js';

/** @import { Transport } from '../api.js' */
/** @import { FromEngine, ToEngine } from '../types.js' */

/** Time that a search which reads messages has to end when it is stopped, before its worker is replaced. Others are ended at once. */
const PATIENCE_MS = 100;

/** @typedef {{ resolve: (text: any) => void, reject: (err: unknown) => void, handle?: (event: string, data: any) => void, signal?: AbortSignal, pauses?: boolean }} Waiting */

/**
 * A worker with an engine. One that does not answer is ended, and the next request starts another.
 */
class EngineWorker {
  /** @type {Promise<Worker> | null} */
  #worker = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** The end of searches that were told to stop: the worker may have to be replaced, and nothing new is asked of it before. @type {Promise<unknown> | null} */
  #stopping = null;
  #last = 0;
  /** Files of weights that the worker has had. @type {Set<string>} */
  #given = new Set();

  /** @param {Files} files */
  constructor(files) {
    this.files = files;
  }

  /** Whether it works on something that was not told to stop. */
  get isSearching() {
    return this.#waiting.size > 0 && !this.#stopping;
  }

  async #start() {
    const module = await this.files.module();
    this.#given.clear();
    const worker = new Worker(new URL('engine.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }) => this.#receive(data));
    // An event without a message: the file of the worker could not be loaded.
    worker.addEventListener('error', (event) => this.#replace(failure(event.message ? 'stopped' : 'not-loaded')));
    worker.postMessage(/** @type {ToEngine} */ ({ kind: 'start', module, glue: this.files.glue.href }));
    return worker;
  }

  /** @param {FromEngine} message */
  #receive(message) {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === 'event') {
      waiting?.handle?.(message.event, JSON.parse(message.text));
      return;
    }
    if (message.kind === 'needs') {
      void this.#give(message.id, message.file);
      return;
    }
    if (message.kind === 'begun') {
      if (!waiting) return;
      waiting.pauses = message.pauses;
      if (!message.pauses && waiting.signal?.aborted) this.#renew(waiting.signal.reason);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.text);
    else if (message.kind === 'refused') waiting?.reject(refused(message.text));
    else this.#replace(failure(message.why), waiting);
  }

  /**
   * Gives the worker the weights that a request needs. If it has had them, they were damaged.
   * @param {number} id
   * @param {string} file
   */
  async #give(id, file) {
    const worker = await this.#worker;
    try {
      const bytes = await this.files.weights(file, this.#given.has(file));
      this.#given.add(file);
      worker?.postMessage(/** @type {ToEngine} */ ({ kind: 'weights', id, file, bytes }));
    } catch (err) {
      this.#waiting.get(id)?.reject(err);
      this.#waiting.delete(id);
      worker?.postMessage(/** @type {ToEngine} */ ({ kind: 'stop', id }));
    }
  }

  /**
   * Ends the worker, and refuses what waits for it.
   * @param {unknown} err
   * @param {Waiting} [failed] a request that waits no more
   */
  #replace(err, failed) {
    void this.#worker?.then((worker) => worker.terminate(), () => undefined);
    this.#worker = null;
    const waiting = [...this.#waiting.values(), ...(failed ? [failed] : [])];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(err);
  }

  /**
   * Ends the search that runs by ending its worker; the next search finds another one ready.
   * @param {unknown} reason
   */
  #renew(reason) {
    this.#replace(reason);
    void this.#ready();
  }

  /** The worker, which is started where there is none. */
  #ready() {
    if (this.#worker) return this.#worker;
    const started = this.#start();
    this.#worker = started;
    started.catch(() => { if (this.#worker === started) this.#worker = null; });
    return started;
  }

  /**
   * @param {(id: number) => ToEngine} message
   * @param {{ handle?: (event: string, data: any) => void, signal?: AbortSignal }} [options]
   * @returns {Promise<any>}
   */
  async request(message, { handle, signal } = {}) {
    while (this.#stopping) await unlessAborted(this.#stopping, signal);
    const started = this.#ready();
    const worker = await unlessAborted(started, signal);
    if (this.#worker !== started) throw failure('stopped');
    const id = ++this.#last;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, handle, signal }));
    worker.postMessage(message(id));
    const stop = () => {
      const stopping = Promise.allSettled([this.#stopping, answer]).then(() => {
        if (this.#stopping === stopping) this.#stopping = null;
      });
      this.#stopping = stopping;
      const waiting = this.#waiting.get(id);
      if (!waiting) return;
      waiting.handle = undefined;
      if (waiting.pauses === false) {
        this.#renew(signal?.reason);
        return;
      }
      worker.postMessage(/** @type {ToEngine} */ ({ kind: 'stop', id }));
      setTimeout(() => this.#waiting.has(id) && this.#worker === started && this.#renew(signal?.reason), PATIENCE_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const text = await answer;
      signal?.throwIfAborted();
      return text;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Starts before the first request; what goes wrong is told by `watchLoading` and by that request. */
  prepare() {
    this.#ready().catch(() => undefined);
  }

  /**
   * The answer to a small request.
   * @param {string} name
   * @param {unknown} body
   * @param {AbortSignal} [signal]
   */
  ask(name, body, signal) {
    return this.request((id) => ({ kind: 'ask', id, name, text: JSON.stringify(body ?? null) }), { signal });
  }
}

/**
 * Waits for something, unless the request is given up before.
 * @template T
 * @param {Promise<T>} awaited
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
async function unlessAborted(awaited, signal) {
  if (!signal) return awaited;
  signal.throwIfAborted();
  /** @type {() => void} */
  let stop = () => undefined;
  const aborted = new Promise((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return /** @type {T} */ (await Promise.race([awaited, aborted]));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** @param {Extract<FromEngine, { kind: 'failed' }>['why']} why */
function failure(why) {
  const texts = /** @type {const} */ ({ 'not-loaded': 'engine.not-loaded', mixed: 'engine.mixed', 'no-memory': 'engine.no-memory', stopped: 'engine.stopped' });
  return new Refused(500, t(texts[why]));
}

/** @param {string} text a refusal as JSON */
function refused(text) {
  const body = JSON.parse(text);
  return new Refused(400, refusalText(body) || text, body.field);
}

/** The files of the engine, which all its workers share. */
class Files {
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  /** @type {Map<string, Promise<ArrayBuffer>>} */
  #weights = new Map();

  /** @param {URL} folder */
  constructor(folder) {
    this.folder = folder;
    this.glue = new URL('banyan_wasm.js', folder);
  }

  module() {
    this.#module ??= loadModule(new URL('banyan_wasm_bg.wasm', this.folder)).catch((err) => {
      this.#module = null;
      throw err;
    });
    return this.#module;
  }

  /**
   * @param {string} file
   * @param {boolean} again whether those that are here are damaged
   */
  weights(file, again) {
    const known = again ? undefined : this.#weights.get(file);
    const loading = known ?? loadWeights(new URL(file, this.folder), again).catch((err) => {
      this.#weights.delete(file);
      throw err;
    });
    this.#weights.set(file, loading);
    return loading;
  }
}

/**
 * The transport to the engine in a folder.
 * @param {URL} folder
 * @returns {Transport}
 */
export function local(folder) {
  const files = new Files(folder);
  const known = answers(new URL('answers.json', folder));
  const quick = new EngineWorker(files);
  /** @type {Map<string, EngineWorker[]>} */
  const searching = new Map();
  /** The worker of a kind of search; another one beside it for a hint while an engine thinks. */
  const worker = (/** @type {string} */ kind) => {
    const workers = searching.get(kind) ?? [];
    searching.set(kind, workers);
    const free = workers.find((one) => kind === 'analysis' || !one.isSearching);
    if (free) return free;
    const added = new EngineWorker(files);
    workers.push(added);
    return added;
  };
  /** Searches that begin when their events are read. @type {Map<string, unknown>} */
  const begun = new Map();
  let n = 0;

  /** @type {Transport['post']} */
  const post = async (path, body, signal) => {
    const name = path.replace(/^api\//, '');
    if (name === 'analysis' || name === 'review') {
      const id = `${name}/${++n}`;
      begun.set(id, body);
      return { id: String(n) };
    }
    const text = (await known).get(key(name, body)) ?? await quick.ask(name, body, signal);
    return JSON.parse(text);
  };
  /** @type {Transport['events']} */
  const events = async (path, body, signal, handle) => {
    const name = path.replace(/^api\//, '');
    const [kind = ''] = name.split('/');
    const asked = begun.has(name) ? begun.get(name) : body;
    begun.delete(name);
    await worker(kind).request((id) => ({ kind: 'begin', id, name: kind, text: JSON.stringify(asked) }), { handle, signal });
  };
  return {
    post,
    events,
    get: async (path, signal) => {
      const [name = '', id, tree] = path.replace(/^api\//, '').split(/[/?]/);
      if (id && tree === 'tree') {
        const nodes = Number(new URLSearchParams(path.split('?')[1]).get('nodes'));
        return JSON.parse(await worker(name).request((message) => ({ kind: 'tree', id: message, nodes }), { signal }));
      }
      return post(path, null, signal);
    },
    postForText: (path, body) => quick.ask(path.replace(/^api\//, ''), body),
    // There is no connection that could be lost.
    watchConnection: () => undefined,
    watchLoading,
    // The first board is drawn before.
    prepare: (game) => void known.then((answers) => setTimeout(() => {
      quick.prepare();
      const weights = answers.get(key('weights', game));
      for (const file of weights ? JSON.parse(weights) : []) files.weights(file, false).catch(() => undefined);
    })),
  };
}

/**
 * Answers that are known before the engine is loaded, by request.
 * @param {URL} url
 * @returns {Promise<Map<string, string>>}
 */
async function answers(url) {
  /** @type {[string, unknown, unknown][]} */
  const list = await fetch(url).then((response) => response.json(), () => []).catch(() => []);
  return new Map(list.map(([name, body, answer]) => [key(name, body), JSON.stringify(answer)]));
}

/**
 * @param {string} name
 * @param {unknown} body
 */
function key(name, body) {
  const sorted = body && typeof body === 'object' ? Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)) : body;
  return `${name} ${JSON.stringify(sorted ?? null)}`;
}
