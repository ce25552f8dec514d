// Speed of the module against the native program, one thread, in turns: CPU time of the same searches, medians.
//
//   cargo build --release -p banyan-wasm --example answers && scripts/wasm --for nodejs
//   BANYAN_ANSWERS=target/release/examples/answers node crates/wasm/node-tests/speed.js [RUNS]

import { Engine, Native, answer } from './module.js';

const RUNS = Number(process.argv[2] ?? 5);
const SEARCHES = [
  ['connect-four:6x7', 'uct', 'playouts=300000'],
  ['connect-four:6x7', 'mcgs', 'playouts=300000'],
  ['reversi:8x8', 'pvs', 'nodes=2000000'],
  ['dots-and-boxes:5x5', 'best', 'playouts=40000'],
];

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const visits = (analysis) => JSON.stringify(analysis.moves.map(({ move, visits, value }) => [move, visits, value]));

const engine = new Engine();
const native = new Native();
console.log('game                player  native ms  wasm ms  ratio  same');
for (const [game, player, budget] of SEARCHES) {
  const body = { spot: { game, position: null, moves: [] }, player, budget, seed: 5 };
  const times = [[], []];
  let same = true;
  for (let run = 0; run <= RUNS; run += 1) {
    const theirs = JSON.parse(await native.ask('analysis', body));
    const before = process.cpuUsage();
    const ours = JSON.parse(answer(engine, 'analysis', body));
    const { user, system } = process.cpuUsage(before);
    if (theirs.error || ours.error) throw new Error(`${theirs.error} ${ours.error}`);
    same &&= visits(ours) === visits(theirs);
    // The first run compiles the module.
    if (run > 0) [theirs.cpu_ms, (user + system) / 1000].forEach((ms, i) => times[i].push(ms));
  }
  const [theirs, ours] = times.map(median);
  console.log(`${game.padEnd(19)} ${player.padEnd(6)} ${theirs.toFixed(0).padStart(10)} ${ours.toFixed(0).padStart(8)} ${(theirs / ours).toFixed(2).padStart(6)}  ${same}`);
}
native.close();
