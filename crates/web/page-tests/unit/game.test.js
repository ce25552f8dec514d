import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Game } from '../../page/js/game.js';
import { Tree } from '../../page/js/tree.js';

/** Answers that the server has not sent yet. @type {(() => void)[]} */
let waiting = [];

/** A server that returns moves in lower case, and answers when the test requests it. */
globalThis.fetch = /** @type {any} */ ((/** @type {string} */ _, /** @type {RequestInit} */ init) => new Promise((resolve) => {
  const spot = JSON.parse(String(init.body));
  const moves = spot.moves.map((/** @type {string} */ move, /** @type {number} */ i) => ({ move: move.toLowerCase(), side: i % 2 }));
  waiting.push(() => resolve({ ok: true, status: 200, json: async () => ({ moves, result: null, legal: [] }) }));
}));

/** Runs all pending work that needs no further answer. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** @param {Promise<unknown>} work */
async function answered(work) {
  while (waiting.length > 0) {
    waiting.shift()?.();
    await settle();
  }
  return work;
}

function newGame() {
  waiting = [];
  const tree = new Tree();
  return new Game({ game: 'x', position: null, tree, cursor: tree.root, players: ['', ''], budget: '' });
}

/** @param {import('../../page/js/tree.js').GameNode} node */
const names = (node) => node.children.map((child) => child.move);

test('a move that was taken back and is typed in another way is the same move', async () => {
  const game = newGame();
  await answered(game.play('f5'));
  const first = game.cursor;
  await answered(game.goTo(game.tree.root));
  await answered(game.play('F5'));
  assert.deepEqual(names(game.tree.root), ['f5']);
  assert.equal(game.cursor, first);
});

test('a move whose answer comes after the reader went elsewhere leaves no trace', async () => {
  const game = newGame();
  await answered(game.play('f5'));
  const late = game.play('d6');
  await answered(Promise.all([game.goTo(game.tree.root), late]));
  assert.equal(game.cursor, game.tree.root);
  assert.deepEqual(names(game.tree.root), ['f5']);
  assert.deepEqual(names(/** @type {any} */ (game.tree.root.children[0])), []);
});

test('a move made where others were taken back is of the game, and one made after looking back is a variation', async () => {
  const game = newGame();
  for (const move of ['a', 'b', 'c']) await answered(game.play(move));
  const { root } = game.tree;
  const a = /** @type {import('../../page/js/tree.js').GameNode} */ (root.children[0]);
  await answered(game.takeBack(a));
  await answered(game.play('x'));
  await answered(game.play('y'));
  assert.deepEqual(names(a), ['x', 'b']);
  await answered(game.goTo(a));
  await answered(game.play('z'));
  assert.deepEqual(names(a), ['x', 'b', 'z']);
  // In a variation the main line stays.
  await answered(game.takeBack(game.cursor));
  await answered(game.play('w'));
  assert.deepEqual(names(a), ['x', 'b', 'z']);
});
