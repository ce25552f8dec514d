import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tree, branchPoint, following, isMain, lineThrough, movesTo, plyOf } from '../../page/js/tree.js';

function sample() {
  const tree = new Tree();
  const main = tree.addLine(tree.root, ['a', 'b', 'c']);
  const side = tree.addLine(tree.root, ['a', 'x', 'y']);
  return { tree, main, side };
}

test('a move that is there already is found, another is added behind it', () => {
  const { tree, main, side } = sample();
  assert.equal(tree.addLine(tree.root, ['a', 'b', 'c']), main);
  assert.equal(tree.size, 6);
  assert.ok(isMain(main));
  assert.ok(!isMain(side));
  assert.deepEqual(movesTo(side), ['a', 'x', 'y']);
  assert.equal(plyOf(side), 3);
});

test('a step forward follows the variation that was visited last', () => {
  const { tree, side } = sample();
  const first = tree.root.children[0];
  assert.ok(first);
  assert.equal(following(first)?.move, 'b');
  first.recent = side.parent;
  assert.deepEqual(lineThrough(first).map((node) => node.move), ['', 'a', 'x', 'y']);
});

test('a removed variation comes back to its place', () => {
  const { tree, main } = sample();
  const b = main.parent;
  assert.ok(b);
  const restore = tree.remove(b);
  assert.deepEqual(b.parent?.children.map((node) => node.move), ['x']);
  restore();
  assert.deepEqual(b.parent?.children.map((node) => node.move), ['b', 'x']);
});

test('the root is never removed', () => {
  const { tree } = sample();
  tree.remove(tree.root)();
  assert.equal(tree.size, 6);
});

test('a promoted variation is the main line, and the old one stays', () => {
  const { tree, main, side } = sample();
  tree.promote(side);
  assert.ok(isMain(side));
  assert.ok(!isMain(main));
  assert.equal(tree.size, 6);
});

test('leaving a variation leads to the move before it', () => {
  const { main, side } = sample();
  assert.equal(branchPoint(side).move, 'a');
  assert.equal(branchPoint(main), main);
});
