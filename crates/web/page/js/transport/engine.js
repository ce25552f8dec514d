/** The engine in a web worker: answers requests, and runs searches in slices, between which it reads messages. */

/** @import { FromEngine, ToEngine } from '../types.js' */

/** The length of a slice. */
const SLICE_MS = 20;

/**
 * The exports of the engine (crates/wasm).
 * @typedef {{ step(ms: number, send: (event: string, text: string) => void): boolean, pauses(): boolean, stop(): void, tree(nodes?: number): string | undefined, free(): void }} Job
 * @typedef {{ answer(name: string, text: string): string, begin(name: string, text: string): Job, load(file: string, bytes: Uint8Array): void }} Engine
 */

/** @type {Engine | null} */
let engine = null;
/** Messages that came before the engine. @type {ToEngine[]} */
const early = [];
/** Searches by their request. @type {Map<number, Job>} */
const running = new Map();
/** Requests that begin when their weights come. @type {Map<number, Extract<ToEngine, { kind: 'begin' }>>} */
const lacking = new Map();
/** The last search, whose tree is asked for. @type {Job | null} */
let last = null;

self.addEventListener('message', ({ data }) => {
  const message = /** @type {ToEngine} */ (data);
  if (message.kind === 'start') void start(message);
  else if (engine) receive(engine, message);
  else early.push(message);
});

/** @param {Extract<ToEngine, { kind: 'start' }>} message */
async function start({ module, glue }) {
  const exports = await import(glue).catch(() => null);
  if (!exports) {
    send({ kind: 'failed', id: 0, why: 'not-loaded' });
    return;
  }
  try {
    exports.initSync({ module });
    const ready = /** @type {Engine} */ (new exports.Engine());
    engine = ready;
    for (const message of early.splice(0)) receive(ready, message);
  } catch (err) {
    // Memory was refused, or the glue is that of another module.
    send({ kind: 'failed', id: 0, why: err instanceof RangeError ? 'no-memory' : 'mixed' });
  }
}

/** @param {FromEngine} message */
function send(message) {
  self.postMessage(message);
}

/**
 * @param {Engine} ready
 * @param {ToEngine} message
 */
function receive(ready, message) {
  if (message.kind === 'start') return;
  if (message.kind === 'stop') {
    running.get(message.id)?.stop();
    if (lacking.delete(message.id)) send({ kind: 'answer', id: message.id, text: 'null' });
    return;
  }
  const { id } = message;
  attempt(id, () => {
    if (message.kind === 'ask') send({ kind: 'answer', id, text: ready.answer(message.name, message.text) });
    else if (message.kind === 'tree') send({ kind: 'answer', id, text: last?.tree(message.nodes) ?? 'null' });
    else if (message.kind === 'begin') beginOrLoad(ready, message);
    else {
      const waiting = lacking.get(id);
      lacking.delete(id);
      ready.load(message.file, new Uint8Array(message.bytes));
      if (waiting) beginOrLoad(ready, waiting);
    }
  });
}

/**
 * Begins a search, or requests the weights that it lacks.
 * @param {Engine} ready
 * @param {Extract<ToEngine, { kind: 'begin' }>} message
 */
function beginOrLoad(ready, message) {
  const { id } = message;
  release();
  try {
    begin(id, ready.begin(message.name, message.text));
  } catch (err) {
    const { code, field } = typeof err === 'string' ? JSON.parse(err) : {};
    if (code !== 'no-weights') throw err;
    lacking.set(id, message);
    send({ kind: 'needs', id, file: field });
  }
}

/**
 * Does something for a request; a refusal is its answer, anything else is a fault of the engine, which cannot continue.
 * @param {number} id
 * @param {() => void} work
 */
function attempt(id, work) {
  try {
    work();
  } catch (err) {
    running.delete(id);
    if (typeof err === 'string') send({ kind: 'refused', id, text: err });
    else send({ kind: 'failed', id, why: 'stopped' });
  }
}

/** Drops the last search, so that the next one has its memory. One that was told to stop may need another slice. */
function release() {
  if (!last || [...running.values()].includes(last)) return;
  last.free();
  last = null;
}

/**
 * @param {number} id
 * @param {Job} job
 */
function begin(id, job) {
  last = job;
  running.set(id, job);
  send({ kind: 'begun', id, pauses: job.pauses() });
  // A task for each slice, so that messages are read between them; timers would wait 4 ms.
  const channel = new MessageChannel();
  channel.port1.onmessage = () => attempt(id, () => {
    if (job.step(SLICE_MS, (event, text) => send(event === 'error' ? { kind: 'refused', id, text } : { kind: 'event', id, event, text }))) {
      channel.port2.postMessage(null);
      return;
    }
    channel.port1.close();
    running.delete(id);
    if (job !== last) job.free();
    send({ kind: 'answer', id, text: 'null' });
  });
  channel.port2.postMessage(null);
}
