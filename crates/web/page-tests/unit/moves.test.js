import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../../page/js/panels/move-rows.js';
import { Tree } from '../../page/js/tree.js';
import { readMoves } from '../../page/js/spot.js';

/**
 * The rows of a game as text; letters of moves are their sides, `x` or `o`.
 * @param {string} moves
 */
function rows(moves) {
  const tree = new Tree();
  readMoves(tree, moves);
  const sideOf = (/** @type {import('../../page/js/tree.js').GameNode} */ node) => (node.move.startsWith('x') ? 0 : node.move.startsWith('o') ? 1 : null);
  return rowsOf(tree.root, { sideOf }).map(({ number, moves: [first, second], continues, others }) =>
    [`${number}${continues ? '+' : ''}`, first.map((node) => node.move).join(' '), second.map((node) => node.move).join(' '), others.map((node) => node.move).join(' ')].join('|'));
}

test('moves stand in numbered pairs, whoever begins and however often a side moves', () => {
  for (const [moves, expected] of /** @type {[string, string[]][]} */ ([
    ['', []],
    ['x1.o1.x2', ['1|x1|o1|', '2|x2||']],
    // The second side begins.
    ['o1.x1.o2', ['1||o1|', '2|x1|o2|']],
    // Several moves of a side belong together.
    ['x1.x2.o1.o2.o3.x3', ['1|x1 x2|o1 o2 o3|', '2|x3||']],
    // Alternatives follow their move; the pair goes on below them.
    ['x1(x9.o9).o1.x2', ['1|x1||x9', '1+||o1|', '2|x2||']],
    ['x1.o1(o8)(o9).x2', ['1|x1|o1|o8 o9', '2|x2||']],
    // Sides that are not known yet take turns.
    ['a.b.c', ['1|a|b|', '2|c||']],
  ])) assert.deepEqual(rows(moves), expected, moves);
});
