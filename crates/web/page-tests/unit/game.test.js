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

/** @param {import('../../page/js/tree.js').GameNode[]} line */
const movesOf = (line) => line.slice(1).map((node) => node.move);

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
  // What was taken back is not of the game any more.
  assert.deepEqual(movesOf(game.mainLine), ['a']);
  assert.equal(game.address, 'g=x&m=a&v=1');
  await answered(game.play('x'));
  await answered(game.play('y'));
  assert.deepEqual(names(a), ['x', 'b']);
  await answered(game.goTo(a));
  await answered(game.play('z'));
  assert.deepEqual(names(a), ['x', 'b', 'z']);
  // In a variation the main line stays.
  await answered(game.play('w'));
  await answered(game.takeBack(/** @type {any} */ (game.cursor.parent)));
  await answered(game.play('v'));
  assert.deepEqual(names(a), ['x', 'b', 'z']);
  assert.deepEqual(names(/** @type {any} */ (game.cursor.parent)), ['v', 'w']);
});

test('moves that were taken back one by one come back step by step', async () => {
  const game = newGame();
  for (const move of ['a', 'b', 'c']) await answered(game.play(move));
  const { root } = game.tree;
  const last = game.cursor;
  for (const _ of 'abc') await answered(game.takeBack(/** @type {any} */ (game.cursor.parent)));
  assert.equal(game.address, 'g=x');
  await answered(game.step(1));
  assert.equal(game.address, 'g=x&m=a&v=1');
  await answered(game.step(5));
  assert.equal(game.cursor, last);
  await answered(game.takeBack(root));
  // A place in what was taken back, such as a mistake of a review, is in the tree again when it is shown.
  await answered(game.goTo(last));
  assert.equal(game.address, 'g=x&m=a.b.c&v=3');
});

test('no alternative takes the place of a move of the game that was taken back', async () => {
  const game = newGame();
  for (const move of ['a', 'b']) await answered(game.play(move));
  const { root } = game.tree;
  await answered(game.goTo(root));
  await answered(game.play('x'));
  await answered(game.goTo(/** @type {any} */ (root.children[0]?.children[0])));
  await answered(game.takeBack(root));
  assert.deepEqual(movesOf(game.mainLine), []);
  await answered(game.play('y'));
  assert.deepEqual(names(root), ['y', 'a', 'x']);
});

test('the game that was played is the main line, whatever line is shown', async () => {
  const game = newGame();
  for (const move of ['a', 'b', 'c']) await answered(game.play(move));
  await answered(game.goTo(game.tree.addLine(game.tree.root, ['a', 'x', 'y'])));
  assert.deepEqual(movesOf(game.line), ['a', 'x', 'y']);
  assert.deepEqual(movesOf(game.mainLine), ['a', 'b', 'c']);
});
