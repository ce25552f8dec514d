import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fields, readGame, readMoves, readPlace, writeGame, writeMoves, writePlace } from '../../page/js/spot.js';
import { Tree, movesTo } from '../../page/js/tree.js';

/** @param {string} moves */
function treeOf(moves) {
  const tree = new Tree();
  readMoves(tree, moves);
  return tree;
}

test('a line and its variations are written as they are read', () => {
  for (const text of ['', '4', '4.4.3', '4.4(5.2(1).3).3', '4(5)(6.1).3', 'h0,1.v2,3', 'f5.d6.pass']) {
    assert.equal(writeMoves(treeOf(text).root), text);
  }
});

test('an alternative to a move is its sibling, and the main line goes on behind it', () => {
  const tree = treeOf('4.4(5.2).3');
  const first = tree.root.children[0];
  assert.deepEqual(first?.children.map((node) => node.move), ['4', '5']);
  assert.deepEqual(movesTo(readPlace(tree, '3')), ['4', '4', '3']);
  assert.deepEqual(movesTo(readPlace(tree, '3~2:1')), ['4', '5', '2']);
});

test('the analyst and the overlay are in the address', () => {
  const hash = 'g=reversi&m=f5&v=1&e=mcgs:c=1,final=robust&d=visits';
  const address = readGame(hash);
  assert.deepEqual([address?.analyst, address?.overlay], ['mcgs:c=1,final=robust', 'visits']);
  assert.equal(address && writeGame(address), hash);
  assert.equal(readGame('g=reversi&d=nonsense')?.overlay, '');
  assert.deepEqual(['8', 'x', '-1', ''].map((n) => readGame(`g=reversi&n=${n}`)?.opening), [8, 0, 0, 0]);
});

test('signs of the notation within a move are kept', () => {
  const tree = new Tree();
  tree.addLine(tree.root, ['a.b', '(c)', 'd~e', 'f%&=', 'g h']);
  const again = treeOf(writeMoves(tree.root));
  assert.deepEqual(movesTo(readPlace(again, '5')), ['a.b', '(c)', 'd~e', 'f%&=', 'g h']);
});

test('every place of a tree can be named', () => {
  const tree = treeOf('4.4(5.2(1).3).3(7.7).6');
  const visit = (/** @type {import('../../page/js/tree.js').GameNode} */ node) => {
    assert.equal(readPlace(tree, writePlace(node)), node);
    node.children.forEach(visit);
  };
  visit(tree.root);
});

test('a game survives its address', () => {
  const tree = treeOf('5.6(4).5');
  const hash = writeGame({ game: 'connect-four:10x11,hole=d3', position: 'a/b o', tree, cursor: readPlace(tree, '2~2:1'), players: ['', 'uct:c=0.5@1s'], budget: '5m/game+inc=3s' });
  assert.match(hash, /^g=connect-four:10x11,hole=d3&s=a\/b%20o&m=5\.6\(4\)\.5&v=2~2:1&o=uct:c=0\.5@1s&b=/);
  const game = readGame(hash);
  assert.ok(game);
  assert.equal(game.game, 'connect-four:10x11,hole=d3');
  assert.equal(game.position, 'a/b o');
  assert.deepEqual(movesTo(game.cursor), ['5', '4']);
  assert.deepEqual(game.players, ['', 'uct:c=0.5@1s']);
  assert.equal(game.budget, '5m/game+inc=3s');
  assert.equal(writeGame(game), hash);
});

test('without a place a game opens at the end of its main line', () => {
  const game = readGame('g=reversi&m=f5.d6.c3');
  assert.deepEqual(game && movesTo(game.cursor), ['f5', 'd6', 'c3']);
});

test('an address that names no game is refused, not guessed', () => {
  for (const hash of ['', 'matches', 'match=a', 'g=', 'g=reversi&m=(', 'g=reversi&m=f5(', 'g=reversi&m=f5)', 'g=%', 'g=reversi&m=%E0']) {
    assert.equal(readGame(hash), null, hash);
  }
});

test('random addresses are read or refused, never thrown on', () => {
  let seed = 1;
  const next = () => (seed = (seed * 48271) % 2147483647);
  const letters = 'g=m&v~:.()%1a,';
  for (let n = 0; n < 3000; n++) {
    const hash = 'g=x&' + Array.from({ length: next() % 30 }, () => letters[next() % letters.length]).join('');
    const game = readGame(hash);
    if (game) assert.ok(readGame(writeGame(game)), hash);
  }
});

test('fields keep what stands behind the first equals sign', () => {
  assert.deepEqual([...fields('a=b=c&d&e=')], [['a', 'b=c'], ['d', ''], ['e', '']]);
});

test('addresses are those that the command writes', () => {
  const lines = readFileSync(new URL('../../../formats/tests/links.txt', import.meta.url), 'utf8').trim().split('\n');
  for (const line of lines.filter((line) => !line.startsWith('#'))) {
    const [game = '', position = '', moves = '', player = '', address = ''] = line.split('|').map((field) => field.trim());
    const tree = new Tree();
    const cursor = tree.addLine(tree.root, moves.split(' ').filter((move) => move !== ''));
    assert.equal(writeGame({ game, position: position || null, tree, cursor, players: [player, ''], budget: '' }), address);
  }
});
