/** The transport of a page without a server, with an engine that this file makes up in place of the module. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused, isAbort } from '../../page/js/transport/refused.js';

/** A module that does nothing. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Paths that were fetched. @type {string[]} */
const fetched = [];
let isDamaged = false;
let isMissing = false;

/** @type {any} */ (globalThis).fetch = async (/** @type {URL} */ url, /** @type {RequestInit | undefined} */ options) => {
  fetched.push(url.pathname);
  if (url.pathname.endsWith('.weights')) {
    return isMissing ? new Response('', { status: 404 }) : new Response(options?.cache === 'reload' ? 'good' : 'damaged');
  }
  if (url.pathname.endsWith('answers.json')) {
    return new Response(JSON.stringify([['about', null, { version: 'known' }], ['state', { game: 'chain', position: null, moves: [] }, { ply: 0 }]]));
  }
  return new Response(isDamaged ? new Uint8Array([1, 2, 3]) : EMPTY, { headers: { 'content-type': 'application/wasm' } });
};

/** Workers that were started, and those that were ended. @type {FakeWorker[]} */
const started = [];
/** @type {FakeWorker[]} */
const ended = [];

/** A worker whose engine answers by the name of a request. */
class FakeWorker extends EventTarget {
  constructor() {
    super();
    started.push(this);
  }

  /** @param {any} message */
  postMessage(message) {
    const send = (/** @type {any} */ data) => queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
    const { kind, id, name } = message;
    if (kind === 'ask' && name === 'edit') send({ kind: 'refused', id, text: JSON.stringify({ error: 'cells: expected 7', code: 'input', field: 'cells' }) });
    else if (kind === 'ask' && name === 'import') send({ kind: 'failed', id, why: 'stopped' });
    else if (kind === 'ask') send({ kind: 'answer', id, text: name === 'export/svg' ? '<svg/>' : JSON.stringify({ name, body: JSON.parse(message.text) }) });
    else if (kind === 'tree') send({ kind: 'answer', id, text: JSON.stringify({ nodes: message.nodes }) });
    else if (kind === 'begin' && name === 'solve') {
      send({ kind: 'needs', id, file: 'chain.weights' });
    } else if (kind === 'weights') {
      const isGood = new TextDecoder().decode(message.bytes) === 'good';
      send(isGood ? { kind: 'answer', id, text: 'null' } : { kind: 'refused', id, text: JSON.stringify({ error: `${message.file}: damaged`, code: 'invalid' }) });
    } else if (kind === 'begin' && !this.busy) {
      this.busy = name === 'analysis';
      send({ kind: 'begun', id, pauses: name !== 'endless' });
      send({ kind: 'event', id, event: 'progress', text: '{"depth":1}' });
      // A move ends, a review ends when it is stopped, and an analysis receives nothing.
      if (name === 'move') send({ kind: 'event', id, event: 'done', text: '{"best":"4"}' });
      if (name === 'move') send({ kind: 'answer', id, text: 'null' });
    } else if (kind === 'stop' && this.stops) {
      this.busy = false;
      send({ kind: 'answer', id, text: 'null' });
    }
  }

  stops = false;
  busy = false;

  terminate() {
    ended.push(this);
  }
}
/** @type {any} */ (globalThis).Worker = FakeWorker;

const { local } = await import('../../page/js/transport/local.js');
const { get, post, postForText, events } = local(new URL('http://page/engine/'));
const never = new AbortController().signal;

test('what is known needs no engine', async () => {
  assert.deepEqual(await get('api/about'), { version: 'known' });
  assert.deepEqual(await post('api/state', { moves: [], game: 'chain', position: null }), { ply: 0 }, 'in any order');
  assert.equal(started.length, 0);
  assert.deepEqual(fetched, ['/engine/answers.json']);
});

test('small requests are answered by one worker', async () => {
  const spot = { game: 'chain', position: null, moves: ['2'] };
  const [state, svg] = await Promise.all([post('api/state', spot), postForText('api/export/svg', spot)]);
  assert.deepEqual([state, svg], [{ name: 'state', body: spot }, '<svg/>']);
  assert.equal(started.length, 1);
  assert.equal(fetched.filter((path) => path.endsWith('.wasm')).length, 1);
});

test('a refusal keeps its field', async () => {
  await assert.rejects(post('api/edit', {}), (err) => err instanceof Refused && err.field === 'cells' && err.message.includes('expected 7'));
});

test('an engine that fails is replaced', async () => {
  const [failed] = started;
  const others = post('api/state', { game: 'chain', position: null, moves: ['1'] });
  await assert.rejects(post('api/import', {}), (err) => err instanceof Refused && err.status === 500);
  await others;
  assert.deepEqual(ended.splice(0), [failed]);
  assert.equal((await post('api/state', { game: 'chain', position: null, moves: ['1'] })).name, 'state');
  assert.equal(started.length, 2);
});

test('a search sends its events, and has a worker of its own', async () => {
  /** @type {unknown[]} */
  const seen = [];
  await events('api/move', {}, never, (event, data) => seen.push([event, data]));
  assert.deepEqual(seen, [['progress', { depth: 1 }], ['done', { best: '4' }]]);
  assert.equal(started.length, 3);
});

test('a search that is stopped ends, or its worker is replaced', async () => {
  for (const stops of [true, false]) {
    const abort = new AbortController();
    const { id } = await post('api/analysis', { budget: 'infinite' });
    let n = 0;
    const done = events(`api/analysis/${id}`, undefined, abort.signal, () => {
      n += 1;
      const worker = /** @type {FakeWorker} */ (started.at(-1));
      worker.stops = stops;
      abort.abort();
    });
    await assert.rejects(done, isAbort);
    assert.deepEqual([n, ended.splice(0).length], [1, stops ? 0 : 1]);
  }
  // The next one has a new worker.
  const { id } = await post('api/analysis', {});
  const abort = new AbortController();
  await assert.rejects(events(`api/analysis/${id}`, undefined, abort.signal, () => abort.abort()), isAbort);
  assert.deepEqual(await get(`api/analysis/${id}/tree?nodes=30`), { nodes: 30 });
  ended.splice(0);
});

test('a search that reads no messages is ended at once, and the next one finds a worker', async () => {
  const abort = new AbortController();
  await assert.rejects(events('api/endless', {}, abort.signal, () => abort.abort()), isAbort);
  assert.equal(ended.splice(0).length, 1);
  const n = started.length;
  const other = new AbortController();
  await assert.rejects(events('api/endless', {}, other.signal, () => {
    assert.equal(started.length, n);
    other.abort();
  }), isAbort);
  ended.splice(0);
});

test('a search that follows one that does not hear gets its events', async () => {
  const abort = new AbortController();
  const { id } = await post('api/analysis', {});
  const first = events(`api/analysis/${id}`, undefined, abort.signal, () => abort.abort());
  await assert.rejects(Promise.race([first, new Promise((resolve) => abort.signal.addEventListener('abort', resolve)).then(() => Promise.reject(abort.signal.reason))]), isAbort);
  const next = await post('api/analysis', {});
  const end = new AbortController();
  let n = 0;
  const second = events(`api/analysis/${next.id}`, undefined, end.signal, () => {
    n += 1;
    end.abort();
  });
  await assert.rejects(second, isAbort);
  await assert.rejects(first, isAbort);
  assert.equal(n, 1);
  ended.splice(0);
});

test('a hint while an engine thinks has a worker of its own', async () => {
  const abort = new AbortController();
  const n = started.length;
  const thinking = events('api/review/none', {}, abort.signal, () => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const other = new AbortController();
  const hint = events('api/review/none', {}, other.signal, () => {
    assert.equal(started.length, n + 2);
    other.abort();
  });
  await assert.rejects(hint, isAbort);
  abort.abort();
  await assert.rejects(thinking, isAbort);
});

test('a search that was given up before it began starts nothing', async () => {
  const n = started.length;
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(events('api/move', {}, abort.signal, () => assert.fail()), isAbort);
  assert.equal(started.length, n);
});

test('a damaged module is refused, and asked for again', async () => {
  isDamaged = true;
  const other = local(new URL('http://page/engine/'));
  const spot = { game: 'chain', position: null, moves: ['1'] };
  await assert.rejects(other.post('api/state', spot), (err) => err instanceof Refused && err.message.includes('damaged'));
  isDamaged = false;
  assert.equal((await other.post('api/state', spot)).name, 'state');
});

test('weights are loaded when a search needs them, again if they were damaged', async () => {
  fetched.length = 0;
  const solve = () => events('api/solve', {}, never, () => undefined);
  await assert.rejects(solve(), (err) => err instanceof Refused && err.message.includes('chain.weights: damaged'));
  isMissing = true;
  await assert.rejects(solve(), (err) => err instanceof Refused && err.status === 503);
  isMissing = false;
  await solve();
  await solve();
  assert.deepEqual(fetched, ['/engine/chain.weights', '/engine/chain.weights', '/engine/chain.weights', '/engine/chain.weights']);
});
