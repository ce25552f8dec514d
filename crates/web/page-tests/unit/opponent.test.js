import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Game } from '../../page/js/game.js';
import { Opponent } from '../../page/js/opponent.js';
import { Tree, movesTo } from '../../page/js/tree.js';

/** Answers about positions that the server has not sent yet. @type {(() => void)[]} */
let waiting = [];
/** What the engine answers: its move, or a refusal. */
let engine = /** @type {() => Response} */ (() => moves('e'));

/** @param {string} best */
const moves = (best) => new Response(`event: done\ndata: ${JSON.stringify({ best })}\n\n`);

/** A server whose engine moves at once, while positions take as long as the test wants. */
globalThis.fetch = /** @type {any} */ ((/** @type {URL} */ url, /** @type {RequestInit} */ init) => {
  if (String(url).endsWith('api/move')) return Promise.resolve(engine());
  const spot = JSON.parse(String(init.body));
  const state = { moves: spot.moves.map((/** @type {string} */ move, /** @type {number} */ i) => ({ move, side: i % 2 })), to_move: spot.moves.length % 2, result: null, legal: [] };
  return new Promise((resolve) => waiting.push(() => resolve(new Response(JSON.stringify(state)))));
});

/** Runs all pending work that needs no further answer about a position. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

async function answer() {
  waiting.splice(0).forEach((send) => send());
  await settle();
}

/** A person against an engine, whose turn it is. */
async function versus() {
  waiting = [];
  const tree = new Tree();
  const game = new Game({ game: 'x', position: null, tree, cursor: tree.root, players: ['', 'best'], budget: '' });
  const opponent = new Opponent(game, () => null, true);
  void game.play('p');
  await answer();
  return { game, opponent };
}

test('an engine counts as thinking until its move is on the board', async () => {
  const { game, opponent } = await versus();
  // It has decided, and the server has not confirmed its move yet.
  assert.equal(waiting.length, 1);
  assert.equal(opponent.thinking, true);
  assert.deepEqual(movesTo(game.cursor), ['p']);
  await answer();
  assert.equal(opponent.thinking, false);
  assert.equal(game.address, 'g=x&m=p.e&v=2&o=best');
});

test('an engine that fails says why and stops thinking', async () => {
  engine = () => new Response(JSON.stringify({ code: 'of-later', error: 'no such player' }), { status: 400 });
  const { game, opponent } = await versus();
  assert.deepEqual([opponent.thinking, opponent.message, game.address], [false, 'no such player', 'g=x&m=p&v=1&o=best']);
  engine = () => moves('e');
});

test('an engine whose move is on its way when the reader goes elsewhere does not move', async () => {
  const { game, opponent } = await versus();
  void game.goTo(game.tree.root);
  await answer();
  assert.deepEqual([opponent.thinking, game.address], [false, 'g=x&m=p&v=0&o=best']);
});

test('an engine that waits in the queue of the server tells its place, and when it begins', async () => {
  engine = () => new Response('event: waiting\ndata: {"place":2,"of":3}\n\nevent: waiting\ndata: {"place":1,"of":3}\n\nevent: done\ndata: {"best":"e"}\n\n');
  waiting = [];
  const tree = new Tree();
  const game = new Game({ game: 'x', position: null, tree, cursor: tree.root, players: ['', 'best'], budget: '' });
  const opponent = new Opponent(game, () => null, true);
  /** @type {string[]} */
  const told = [];
  opponent.on('queue', () => told.push(`place ${opponent.place?.place} of ${opponent.place?.of}`));
  opponent.on('begins', () => told.push('begins'));
  void game.play('p');
  await answer();
  assert.deepEqual(told, ['place 2 of 3', 'place 1 of 3', 'begins']);
  engine = () => moves('e');
});
