import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BORDER, CELL, boxesBeside, boxesOpenedBy, cellCentre, cellOf, edgeCentre, edgeOf, edgesAround, marksOfLine, moveAt, noMoveAt, touchAt } from '../../page/js/board/layout.js';

import { mirrored } from '../../page/js/board/mirror.js';

/** @import { Picture, State } from '../../page/js/types.js' */

/**
 * A picture of empty cells.
 * @param {number} rows
 * @param {number} columns
 * @param {string[]} columnLabels
 * @param {string[]} rowLabels
 * @returns {Picture}
 */
function grid(rows, columns, columnLabels, rowLabels) {
  return { rows, columns, cells: Array.from({ length: rows * columns }, () => ({})), edges: null, column_labels: columnLabels, row_labels: rowLabels };
}

/**
 * @param {number} rows
 * @param {number} columns
 * @param {string[]} drawn
 */
function boxes(rows, columns, drawn = []) {
  const picture = grid(rows, columns, [], []);
  picture.edges = Array.from({ length: (rows + 1) * columns + rows * (columns + 1) }, () => ({}));
  for (const move of drawn) {
    const edge = picture.edges[edgeOf(picture, move) ?? -1];
    assert.ok(edge, move);
    edge.drawn = 1;
  }
  return picture;
}

/**
 * @param {Picture} picture
 * @param {Partial<State>} rest
 */
function state(picture, rest) {
  return /** @type {State} */ ({ game: '', title: '', position: '', start: null, to_move: 0, ply: 0, moves: [], legal: [], result: null, points: null, structure: null, ...rest, picture });
}

test('edges are numbered row by row, horizontal ones first', () => {
  const picture = boxes(2, 3);
  assert.equal(edgeOf(picture, 'h0,0'), 0);
  assert.equal(edgeOf(picture, 'h2,2'), 8);
  assert.equal(edgeOf(picture, 'v0,0'), 9);
  assert.equal(edgeOf(picture, 'v1,3'), 16);
  assert.equal(edgeOf(picture, 'e4'), null);
  assert.deepEqual(edgeCentre(picture, 0), { x: BORDER + CELL / 2, y: BORDER });
  assert.deepEqual(edgeCentre(picture, 9), { x: BORDER, y: BORDER + CELL / 2 });
});

test('a box lies beside each of its edges', () => {
  const picture = boxes(3, 4);
  for (let box = 0; box < 12; box++) {
    for (const edge of edgesAround(picture, box)) assert.ok(boxesBeside(picture, edge).includes(box), `${box} ${edge}`);
  }
  const sides = picture.edges?.map((_, edge) => boxesBeside(picture, edge).length) ?? [];
  assert.equal(sides.filter((n) => n === 1).length, 14);
});

test('an edge opens the whole chain to the other side', () => {
  // A corridor of three boxes: all long walls are drawn, the ends and the two edges within are open.
  const picture = boxes(1, 3, ['h0,0', 'h0,1', 'h0,2', 'h1,0', 'h1,1', 'h1,2']);
  const inner = edgeOf(picture, 'v0,1') ?? -1;
  assert.deepEqual(boxesOpenedBy(picture, inner).sort(), [0, 1, 2]);
  assert.deepEqual(boxesOpenedBy(boxes(2, 2), 0), []);
});

test('a box that could be taken before is not opened by the edge', () => {
  const picture = boxes(1, 2, ['h0,0', 'h1,0', 'v0,0']);
  assert.deepEqual(boxesOpenedBy(picture, edgeOf(picture, 'h0,1') ?? -1), []);
});

test('cells are named by their labels', () => {
  const picture = grid(10, 10, [...'abcdefghij'], ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  assert.equal(cellOf(picture, 'a1'), 0);
  assert.equal(cellOf(picture, 'b10'), 91);
  assert.equal(cellOf(picture, 'pass'), null);
});

test('expected stones fall on each other and on holes', () => {
  const picture = grid(3, 2, ['1', '2'], ['3', '2', '1']);
  picture.cells[3] = { hole: 1 };
  const legal = ['1', '2'].map((move, column) => ({ move, at: { column }, after: { cells: [] } }));
  const marks = marksOfLine(state(picture, { legal: /** @type {any} */ (legal) }), ['1', '1', '2', '2', '2']);
  assert.deepEqual(marks.map((mark) => mark.cell), [4, 2, 5, 1, null]);
  assert.deepEqual(marks.map((mark) => mark.side), [0, 1, 0, 1, 0]);
});

test('who closes a box draws again in an expected line', () => {
  const picture = boxes(1, 1, ['h0,0', 'v0,0']);
  const marks = marksOfLine(state(picture, {}), ['h1,0', 'v0,1', 'h0,0']);
  assert.deepEqual(marks.map((mark) => mark.side), [0, 1, 1]);
});

test('a point is the move of its column, its cell, or the nearest edge', () => {
  const picture = grid(2, 2, ['1', '2'], ['2', '1']);
  const column = { move: '2', at: { column: 1 }, after: { cells: [] } };
  const cell = { move: 'a2', at: { cell: /** @type {[number, number]} */ ([0, 0]) }, after: { cells: [] } };
  const { x, y } = cellCentre(picture, 1);
  assert.equal(moveAt(state(picture, { legal: [column] }), x, y), column);
  assert.equal(moveAt(state(picture, { legal: [cell] }), x, y), null);
  assert.equal(moveAt(state(picture, { legal: [cell] }), x - CELL, y), cell);
  const paper = boxes(1, 1);
  const edges = [0, 1, 2, 3].map((edge) => ({ move: String(edge), at: { edge }, after: { cells: [] } }));
  assert.equal(moveAt(state(paper, { legal: edges }), BORDER + CELL / 2, BORDER + 5)?.move, '0');
  assert.equal(moveAt(state(paper, { legal: edges }), BORDER + CELL - 5, BORDER + CELL / 2)?.move, '3');
});

test('a finger near a dot or in the middle of a box is not sure of its edge, and on an edge it is', () => {
  const paper = boxes(2, 2, ['v0,1']);
  const open = paper.edges?.flatMap((edge, i) => (edge.drawn ? [] : [i])) ?? [];
  const at = state(paper, { legal: open.map((edge) => ({ move: String(edge), at: { edge }, after: { cells: [] } })) });
  const point = (/** @type {number} */ x, /** @type {number} */ y) => {
    const { legal, isSure } = touchAt(at, BORDER + x * CELL, BORDER + y * CELL);
    return `${legal?.move ?? 'none'} ${isSure ? 'sure' : 'unsure'}`;
  };
  for (const [x, y, expected] of /** @type {[number, number, string][]} */ ([
    [0.5, 0, '0 sure'], [0.5, 0.1, '0 sure'], [0.3, 0, '0 sure'], [0, 0.5, '6 sure'],
    // The middle of a box, and its middle third.
    [1.5, 0.5, '1 unsure'], [1.5, 0.36, '1 unsure'], [1.5, 0.3, '1 sure'],
    // Dots, and places close to them.
    [0, 0, '0 unsure'], [0.1, 0.02, '0 unsure'], [1, 1, '2 unsure'], [-0.1, 0, '0 unsure'],
    // An edge that is drawn, and beside the board.
    [1, 0.5, 'none sure'], [-0.8, 0.5, 'none unsure'],
  ])) assert.equal(point(x, y), expected, `${x} ${y}`);
});

test('a click that makes no move has its reason', () => {
  const columns = state(grid(2, 2, ['1', '2'], ['2', '1']), { legal: [{ move: '2', at: { column: 1 }, after: { cells: [] } }] });
  const cells = state(grid(2, 2, ['a', 'b'], ['1', '2']), { legal: [{ move: 'a1', at: { cell: [0, 0] }, after: { cells: [] } }] });
  const [x, y] = [BORDER + CELL / 2, BORDER + CELL / 2];
  assert.deepEqual(noMoveAt(columns, x, y), { text: 'board.full-column', params: { column: '1' } });
  assert.deepEqual(noMoveAt(cells, x + CELL, y + CELL), { text: 'board.no-move', params: { move: 'b2' } });
  assert.equal(noMoveAt(cells, 2, y), null);
  const paper = state(boxes(1, 1, ['h0,0']), {});
  assert.equal(noMoveAt(paper, x, BORDER + 3)?.text, 'board.drawn-edge');
  assert.equal(noMoveAt(paper, x, BORDER + CELL - 3), null);
});

test('a mirrored board has the same moves on the other side, and mirrored twice it is as before', () => {
  const picture = boxes(2, 3, ['h0,0', 'v1,3']);
  const legal = /** @type {any[]} */ ([{ move: 'v0,0', at: { edge: edgeOf(picture, 'v0,0') }, after: { cells: [[0, 0, 1]] } }]);
  const usual = state(picture, { legal });
  const turned = mirrored(usual);
  const board = turned.picture;
  assert.ok(board?.edges);
  assert.equal(board.edges[2]?.drawn, 1);
  assert.equal(board.edges[edgeOf(board, 'v1,3') ?? -1]?.drawn, 1);
  assert.deepEqual(turned.legal[0]?.at, { edge: edgeOf(board, 'v0,0') });
  assert.deepEqual(turned.legal[0]?.after.cells, [[0, 2, 1]]);
  assert.deepEqual(mirrored(turned).picture, { ...picture, mirrored: false });
});
