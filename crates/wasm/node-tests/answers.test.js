// The module answers as the native program does, times and sizes of memory aside.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Engine, Native, answer } from './module.js';

/** What depends on the machine. */
const OWN = new Set(['elapsed_ms', 'cpu_ms', 'rate', 'memory_bytes']);

const DEEP = Boolean(process.env.BANYAN_DEEP);

/** Boards, with the numbers of random moves after which requests are made. */
const BOARDS = [
  ['connect-four:6x7', [0, 9]],
  ['connect-four:9x10,hole=d3', [6]],
  ['reversi:6x6', [8]],
  ['reversi:8x8', [0, 20, 50]],
  ['dots-and-boxes:3x3', [6]],
  ['dots-and-boxes:5x5', [0, 24]],
];
const MORE_BOARDS = [
  ['connect-four:15x16', [30]],
  ['connect-four:4x5', [0, 5]],
  ['reversi:4x4', [2]],
  ['reversi:10x10', [10]],
  ['dots-and-boxes:2x2', [0]],
  ['dots-and-boxes:4x7', [20]],
];

/** Searches at every position. */
const SEARCHES = [
  ['uct', 'playouts=3000'],
  ['graph', 'playouts=2000'],
  ['mcgs', 'playouts=1500'],
  ['pvs', 'nodes=20000'],
  ['mtdf', 'depth=4'],
  ['level-4', 'playouts=100'],
  ['greedy', 'playouts=1'],
];

const without = (json) => JSON.parse(json, (key, value) => (OWN.has(key) ? undefined : value));

/** The spot after `n` moves, chosen with a small linear congruence. */
function played(engine, game, n) {
  const spot = { game, position: null, moves: [] };
  for (let number = 7; spot.moves.length < n; number = (number * 1103515245 + 12345) % 2147483648) {
    const { legal } = JSON.parse(answer(engine, 'state', spot));
    if (legal.length === 0) break;
    spot.moves.push(legal[(number >> 8) % legal.length].move);
  }
  return spot;
}

/** Requests at a position. */
function* requests(spot) {
  yield ['state', spot];
  yield ['export/svg', { ...spot, structure: true }];
  yield ['export/text', { ...spot, players: ['one', 'other'] }];
  for (const [player, budget] of SEARCHES) yield ['analysis', { spot, player, budget, seed: 5 }];
  yield ['move', { spot, budget: 'nodes=3000' }];
  yield ['solve', { spot, budget: 'nodes=20000' }];
  if (spot.moves.length > 3) yield ['review', { spot: { ...spot, moves: spot.moves.slice(0, 4) }, player: 'uct', budget: 'playouts=300' }];
}

test('the same request has the same answer as natively', async () => {
  const engine = new Engine();
  const native = new Native();
  let count = 0;
  for (const [game, lengths] of [...BOARDS, ...(DEEP ? MORE_BOARDS : [])]) {
    for (const n of lengths) {
      for (const [name, body] of requests(played(engine, game, n))) {
        const [ours, theirs] = [answer(engine, name, body), await native.ask(name, body)];
        const what = `${name} ${JSON.stringify(body)}`;
        if (name === 'export/svg') assert.equal(ours.replaceAll('\n', ' '), theirs, what);
        else assert.deepEqual(without(ours), without(theirs), what);
        count += 1;
      }
    }
  }
  native.close();
  console.log(`${count} requests`);
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
