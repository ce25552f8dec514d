// The module answers as the native program does, times and sizes of memory aside.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Engine, Native, answer } from './module.js';
import { requests } from './requests.js';

/** What depends on the machine. */
const OWN = new Set(['elapsed_ms', 'cpu_ms', 'rate', 'memory_bytes']);

const DEEP = Boolean(process.env.BANYAN_DEEP);
const KINDS = ['about', 'state', 'edit', 'import', 'export/svg', 'export/text', 'analysis', 'move', 'solve', 'review', 'refused'];

/** At least as many requests are compared. */
const LEAST = 300;

const without = (json) => JSON.parse(json, (key, value) => (OWN.has(key) ? undefined : value));

test('the same request has the same answer as natively', async () => {
  const engine = new Engine();
  const native = new Native();
  const counts = {};
  const begun = process.cpuUsage();
  for (const [name, body] of requests((of, about) => JSON.parse(answer(engine, of, about)), DEEP)) {
    const [ours, theirs] = [answer(engine, name, body), await native.ask(name, body)];
    const what = `${name} ${JSON.stringify(body)}`;
    const isRefused = ours.startsWith('{"error"');
    if (name === 'export/svg' && !isRefused) assert.equal(ours.replaceAll('\n', ' '), theirs, what);
    else assert.deepEqual(without(ours), without(theirs), what);
    const kind = isRefused ? 'refused' : name;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  native.close();
  const total = Object.values(counts).reduce((sum, n) => sum + n);
  const { user, system } = process.cpuUsage(begun);
  console.log(`${total} requests:`, counts, `${((user + system) / 1e6).toFixed(0)} s CPU of the module`);
  assert.ok(total >= LEAST, `${total} requests, expected ${LEAST} or more`);
  for (const kind of KINDS) assert.ok(counts[kind] > 0, `no request ${kind} has an answer`);
});

test('a search runs in slices and is stopped from within an event', () => {
  const engine = new Engine();
  const spot = { game: 'connect-four:6x7', position: null, moves: [] };
  const job = engine.begin('analysis', JSON.stringify({ spot, player: 'mcgs', budget: 'infinite', keep: 'one' }));
  assert.equal(job.pauses(), true);
  const events = [];
  const begun = performance.now();
  let more = true;
  let longest = 0;
  while (more) {
    const at = performance.now();
    more = job.step(50, (event, json) => {
      events.push([event, JSON.parse(json)]);
      if (performance.now() - begun > 400) job.stop();
    });
    longest = Math.max(longest, performance.now() - at);
    if (more) assert.ok(JSON.parse(job.tree(20)).nodes.length > 1);
  }
  assert.equal(events.at(-1)[0], 'done');
  assert.ok(events.length >= 3, `${events.length} events`);
  console.log(`${events.length} events, longest slice ${longest.toFixed(0)} ms, ${events.at(-1)[1].playouts} playouts`);
  job.free();
  const again = engine.begin('analysis', JSON.stringify({ spot, player: 'mcgs', budget: 'playouts=1000', keep: 'one' }));
  let reused = 0;
  while (again.step(50, (_event, json) => { reused = JSON.parse(json).reused; }));
  assert.ok(reused > 0, 'the tree was kept');
});

test('a refusal is thrown as JSON, and so is what a listener throws', () => {
  const engine = new Engine();
  assert.throws(() => engine.answer('state', '{"game": "go", "moves": []}'), (refusal) => JSON.parse(refusal).code === 'invalid-game');
  assert.throws(() => engine.begin('analysis', '{'), (refusal) => JSON.parse(refusal).code === 'invalid');
  const spot = { game: 'reversi:6x6', position: null, moves: [] };
  const job = engine.begin('move', JSON.stringify({ spot, player: 'uct', budget: 'playouts=500' }));
  assert.throws(() => { while (job.step(50, () => { throw new Error('mine'); })); }, /mine/);
});
