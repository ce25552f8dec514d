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
