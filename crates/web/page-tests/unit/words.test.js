import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EventParser } from '../../page/js/transport/http.js';
import { styleOf } from '../../page/js/board/draw.js';
import { legendText, overlayItems } from '../../page/js/board/overlay.js';
import { clockText, readClock } from '../../page/js/clock.js';
import { typed } from '../../page/js/dom.js';
import { fitting, readBoard, readSize, writeBoard } from '../../page/js/dialogs/new-game.js';
import { cellsText } from '../../page/js/dialogs/edit-position.js';
import { sentenceOf } from '../../page/js/dialogs/player-picker.js';
import { fileName, gameOf, letterOf, overText, resultText, shownTitle, sidesOf, withGames } from '../../page/js/games.js';
import { refusalText, short, signed, t } from '../../page/js/i18n.js';
import { ticks } from '../../page/js/matches/charts.js';
import { paced, thinned } from '../../page/js/matches/pace.js';
import { layoutGraph } from '../../page/js/panels/graph-layout.js';
import { hasMargins, inOrder, proven, valueText } from '../../page/js/words.js';

const PAGE = new URL('../../page/js', import.meta.url).pathname;

test('events are found wherever the stream is cut', () => {
  const stream = 'event: progress\ndata: {"a":1}\n\n: comment\n\nevent: done\r\ndata: x\r\ndata: y\r\n\r\n';
  for (let cut = 1; cut < stream.length; cut++) {
    /** @type {[string, string][]} */
    const seen = [];
    const parser = new EventParser((event, data) => void seen.push([event, data]));
    parser.push(stream.slice(0, cut));
    parser.push(stream.slice(cut));
    assert.deepEqual(seen, [['progress', '{"a":1}'], ['done', 'x\ny']], `cut at ${cut}`);
  }
});

test('clocks are read and written', () => {
  assert.deepEqual(readClock('5m/game+inc=3s'), { total: 300_000, increment: 3000, others: [] });
  assert.deepEqual(readClock('500ms/game'), { total: 500, increment: 0, others: [] });
  // Every order and every other limit that the command accepts.
  assert.deepEqual(readClock('inc=3s + 1.5m/game'), { total: 90_000, increment: 3000, others: [] });
  assert.deepEqual(readClock('1s+15m/game+nodes=1e5'), { total: 900_000, increment: 0, others: ['1s', 'nodes=1e5'] });
  assert.equal(readClock('x/game'), null);
  assert.equal(readClock('1s'), null);
  assert.equal(clockText(245_000), '4:05');
  assert.equal(clockText(9_940), '0:09.9');
  assert.equal(clockText(-5), '0:00.0');
});

test('a board is the shortest text of its options', () => {
  const info = /** @type {any} */ ({ name: 'connect-four', default_size: [6, 7] });
  for (const spec of ['connect-four', 'connect-four:10x11', 'connect-four:hole=d3', 'connect-four:8x9,hole=a1,hole=d3']) {
    assert.equal(writeBoard(readBoard(info, spec)), spec);
  }
  assert.equal(writeBoard(readBoard(info, 'connect-four:6x7')), 'connect-four');
  assert.equal(writeBoard(readBoard(/** @type {any} */ ({ name: 'reversi', default_size: [8, 8] }), 'reversi:10x10,count=discs')), 'reversi:10x10,count=discs');
  assert.equal(writeBoard(readBoard(/** @type {any} */ ({ name: 'own', default_size: null }), 'own')), 'own:8x8');
});

test('a size that does not fit is named, and never another one', () => {
  const [rows, even] = [{ min: 4, max: 15, step: 1 }, { min: 4, max: 10, step: 2 }];
  for (const [text, range, expected] of /** @type {[string, typeof rows, number | string][]} */ ([
    ['4', rows, 4], [' 15 ', rows, 15], ['6', even, 6],
    ['', rows, 'Enter a number, 4 to 15'], [' ', even, 'Enter a number, 4 to 10, in steps of 2'],
    ['63', rows, '63 does not fit: enter 4 to 15'], ['3', rows, '3 does not fit: enter 4 to 15'], ['-5', rows, '-5 does not fit: enter 4 to 15'],
    ['5.5', rows, '5.5 does not fit: enter 4 to 15'], ['x', rows, 'x does not fit: enter 4 to 15'], ['1e1', rows, '1e1 does not fit: enter 4 to 15'],
    ['7', even, '7 does not fit: enter 4 to 10, in steps of 2'],
  ])) assert.deepEqual(readSize(text, range), typeof expected === 'number' ? { value: expected } : { problem: expected }, text);
});

test('holes outside a board are left out, and are there again when it grows', () => {
  const board = { ...readBoard(/** @type {any} */ ({ name: 'own', default_size: [6, 7] }), 'own:hole=d3,hole=g6'), rows: 5 };
  assert.equal(writeBoard(fitting(board)), 'own:5x7,hole=d3');
  assert.equal(writeBoard(fitting({ ...board, rows: 6 })), 'own:hole=d3,hole=g6');
});

test('files are named after their game, the day and the move', () => {
  const date = new Date(2026, 10, 8);
  assert.equal(fileName('own', { extension: 'json', date }), 'own-2026-11-08.json');
  assert.equal(fileName('own:8x9,hole=d3', { extension: 'png', date, ply: 12 }), 'own-8x9-hole-d3-2026-11-08-move-12.png');
});

test('an edited board is text, row by row', () => {
  const cells = /** @type {any[]} */ ([{ o: 0 }, {}, { hole: 1 }, { o: 1 }]);
  assert.equal(cellsText({ rows: 2, columns: 2, cells, edges: null, column_labels: [], row_labels: [] }), 'X./#O');
  const edges = [{ drawn: /** @type {const} */ (1) }, {}, {}, {}];
  assert.equal(cellsText({ rows: 1, columns: 1, cells: [{ o: 1 }], edges, column_labels: [], row_labels: [] }), '1/0/00 0-1');
});

test('numbers are short', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 123_456, 999_600, 35_400_000].map(short), ['0', '999', '1.0k'.replace('.0', ''), '12k', '123k', '1M', '35M']);
  assert.equal(signed(-3), '\u22123');
  assert.equal(signed(2.5, 1), '+2.5');
  assert.equal(signed(0), '0');
});

test('proofs say who wins, or what is bounded', () => {
  assert.equal(proven(null), null);
  assert.equal(proven({ lower: 4, upper: 4 })?.kind, 'won');
  assert.equal(proven({ lower: 1, upper: 9 })?.kind, 'won');
  assert.equal(proven({ lower: -9, upper: -1 })?.kind, 'lost');
  assert.equal(proven({ lower: 0, upper: 0 })?.kind, 'drawn');
  assert.equal(proven({ lower: 0, upper: 5 })?.kind, 'bounded');
  assert.equal(proven({ lower: -5, upper: 5 }), null);
});

test('a text has a form for one and one for several', () => {
  assert.equal(t('import.moves', { n: 1 }), '1 move');
  assert.equal(t('import.moves', { n: 2 }), '2 moves');
});

test('a shared position of the graph is placed once, parents beside the middle of their children', () => {
  const edge = (/** @type {number | null} */ to) => ({ move: String(to), visits: 1, value: 0, prior: null, proof: null, to });
  const nodes = /** @type {any[]} */ ([{ edges: [edge(1), edge(2)] }, { edges: [edge(3)] }, { edges: [edge(3), edge(null)] }, { edges: [] }]);
  const { places, columns, rows } = layoutGraph(nodes);
  assert.deepEqual([columns, rows], [3, 2]);
  assert.equal(places[3]?.parent, 1);
  assert.equal(places[0]?.row, 0.5);
  assert.deepEqual(layoutGraph([]), { places: [], columns: 0, rows: 0 });
});

test('marks of an axis are round and within it', () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(-120, 130, 5), [-100, -50, 0, 50, 100]);
});

test('the first document names every module, so that the browser asks for all at once', () => {
  // Types, and the modules that only a page without a server loads.
  const apart = ['types.js', ...['engine.js', 'local.js', 'module.js'].map((name) => join('transport', name))];
  const page = readFileSync(join(PAGE, '..', 'index.html'), 'utf8');
  const modules = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js') && !apart.includes(name));
  for (const name of modules) assert.ok(page.includes(`<link rel="modulepreload" href="js/${name}">`), name);
  assert.equal(page.match(/modulepreload/g)?.length, modules.length);
});

test('the page names no game: what it needs is in /api/about', () => {
  const games = readdirSync(join(PAGE, '../../../engines')).map((name) => name.replaceAll('_', '[-_ ]?'));
  assert.ok(games.length >= 3);
  const named = new RegExp(`(?:${games.join('|')})\\b`, 'i');
  const files = readdirSync(join(PAGE, '..'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:css|html|js)$/.test(name));
  for (const name of files) assert.doesNotMatch(readFileSync(join(PAGE, '..', name), 'utf8'), named, name);
});

test('a board has the style of its game, and one with edges is of boxes', () => {
  const picture = /** @type {any} */ ({ edges: null });
  const unit = { one: 'disc', many: 'discs', to_spare: false };
  const about = withGames(/** @type {any} */ ({ version: '1', games: [{ name: 'a', title: 'The A', style: 'drop', unit }, { name: 'b', title: 'The B', style: 'discs', unit }] }));
  // In English they are shown as the server has them.
  assert.deepEqual([about.version, about.games[1]?.title, about.games[0]?.unit], ['1', 'The B', unit]);
  assert.deepEqual([shownTitle('The B 6x6'), shownTitle('Another')], ['The B 6x6', 'Another']);
  assert.deepEqual(['a', 'a:4x5', 'b', 'ab', 'c'].map((game) => styleOf(game, picture)), ['drop', 'drop', 'discs', 'stones', 'stones']);
  assert.equal(styleOf('a', /** @type {any} */ ({ edges: [] })), 'boxes');
  assert.equal(gameOf('b:6x6,hole=a1')?.name, 'b');
  withGames(/** @type {any} */ ({ games: [] }));
});

test('sides have the names of their colours, and results name them', () => {
  const points = { one: 'disc', many: 'discs', to_spare: false };
  const spare = { one: 'stone', many: 'stones', to_spare: true };
  withGames(/** @type {any} */ ({ games: [{ name: 'a', title: 'A', style: 'drop', sides: ['X', 'O'], unit: spare }, { name: 'b', title: 'B', style: 'discs', sides: ['black', 'white'], unit: points }] }));
  assert.deepEqual([sidesOf('a:4x5'), sidesOf('b'), sidesOf('other')], [['Blue', 'Orange'], ['Black', 'White'], ['Blue', 'Orange']]);
  assert.deepEqual([letterOf('a', 0), letterOf('a', 1), letterOf('b', 0)], ['X', 'O', '']);
  for (const [game, winner, margin, score, expected] of /** @type {const} */ ([
    ['a', 0, 18, null, 'Blue wins with 17 stones to spare'], ['a', 1, -2, null, 'Orange wins with 1 stone to spare'], ['a', 1, -1, null, 'Orange wins with the last stone'],
    ['a', null, 0, null, 'a draw'], ['b', 0, 20, [42, 22], 'Black wins by 20 discs (42\u201322)'], ['b', null, 0, [32, 32], 'a draw (32\u201332)'],
    // The points of the winner come first, as in the sentence.
    ['b', 1, -2, [31, 33], 'White wins by 2 discs (33\u201331)'],
  ])) assert.equal(resultText(/** @type {any} */ ({ game, result: { winner, margin, text: '' }, points: score })), expected);
  const over = (/** @type {[string, string]} */ players, winner = 1) => overText(/** @type {any} */ ({ game: 'b', result: { winner, margin: winner ? -2 : 2, text: '' }, points: null }), players);
  assert.equal(over(['', '']), 'Game over: White wins by 2 discs');
  assert.equal(over(['x', 'x']), 'Game over: White wins by 2 discs');
  assert.equal(over(['', 'x']), 'Game over, you lose: White wins by 2 discs');
  assert.equal(over(['x', '']), 'Game over, you win: White wins by 2 discs');
  assert.equal(over(['x', ''], 0), 'Game over, you lose: Black wins by 2 discs');
  withGames(/** @type {any} */ ({ games: [] }));
  assert.equal(resultText(/** @type {any} */ ({ game: 'c', result: { winner: 0, margin: 1, text: 'X wins' } })), 'X wins');
});

test('a description is cut after its first sentence', () => {
  assert.equal(sentenceOf('the usual player; the default. It takes settings: best:threads=2'), 'the usual player');
  assert.equal(sentenceOf('plain UCT (Kocsis 2006): a tree, no proofs'), 'plain UCT (Kocsis 2006): a tree, no proofs');
});

test('every legal move has its value on the board, coloured by its loss against the best', () => {
  const moves = Array.from({ length: 40 }, (_, i) => ({ move: String(i), visits: 1, margin: -i / 4, value: 0, proof: null, pv: [] }));
  const legal = moves.map(({ move }, edge) => ({ move, at: { edge }, after: { cells: [] } }));
  const items = overlayItems(/** @type {any} */ ({ picture: { rows: 5, columns: 5 }, legal, to_move: 0 }), /** @type {any} */ ({ margin: 0, value: 0, moves }), 'win', true);
  assert.equal(items.length, 40);
  assert.deepEqual([0, 1, 4, 5, 16, 17].map((i) => items[i]?.kind.trim()), ['best', 'close', 'close', 'behind', 'behind', 'far']);
  // Never a zero with a sign.
  assert.deepEqual([0, 1, 2, 8].map((i) => items[i]?.text), ['0', '0', '\u22121', '\u22122']);
});

/** @param {Record<string, any>} mv */
const candidate = (mv) => ({ visits: 1, proof: null, pv: [], ...mv });

test('moves stand in the order of their values, and a number that the search does not trust is marked', () => {
  const analysis = /** @type {any} */ ({ value: -0.28, moves: [
    candidate({ move: '4', value: -0.28, visits: 9000 }), candidate({ move: '7', value: -0.44 }), candidate({ move: '6', value: -0.3, visits: 90 }),
    candidate({ move: '1', proof: { lower: -9, upper: -9 }, ends_in: 4, margin: -9, value: -1 }), candidate({ move: '3', value: -0.08, visits: 30 }),
    candidate({ move: '2', proof: { lower: -18, upper: -18 }, ends_in: 2, margin: -18, value: -1 }), candidate({ move: '5' }), candidate({ move: '8', value: 0.2, visits: 0, at_most: { value: 0.2 } })] });
  const ordered = inOrder(analysis, false);
  assert.deepEqual(ordered.moves.map((mv) => mv.move).join(''), '48367125');
  const legal = analysis.moves.map((/** @type {any} */ { move }, /** @type {number} */ column) => ({ move, at: { column }, after: { cells: [[0, column, 0]] } }));
  const items = overlayItems(/** @type {any} */ ({ picture: { rows: 1, columns: 8 }, legal, to_move: 0 }), ordered, 'win', false);
  assert.deepEqual(items.map(({ text, kind }) => `${text} ${kind.trim()}`), ['36 best', '\u226460 close bound', '46? close bound', '35 close', '28 behind', '\u27174 lost', '\u27172 lost']);
  // The colour is by the same numbers: a loss of two points of a hundred is the same whatever the search says of the position.
  assert.deepEqual(overlayItems(/** @type {any} */ ({ picture: { rows: 1, columns: 8 }, legal, to_move: 0 }), { ...ordered, value: 0.9 }, 'win', false).map(({ kind }) => kind), items.map(({ kind }) => kind));
});

test('a table without margins that count shows per cent, and one with them has both', () => {
  const moves = [candidate({ move: '6', value: 0.44 }), candidate({ move: '4', value: -1, margin: -18, proof: { lower: -18, upper: -18 }, ends_in: 2 })];
  const analysis = /** @type {any} */ ({ value: 0.44, moves });
  assert.deepEqual([hasMargins(analysis, false), hasMargins(analysis, true)], [false, true]);
  assert.deepEqual([valueText(/** @type {any} */ (moves[0]), false), valueText(/** @type {any} */ (moves[0]), true)], ['72.0', '72.0\u00a0%']);
});

test('the numbers and signs on the board are explained, those that are there', () => {
  const [open, lost, lead] = [candidate({ move: '6', value: 0.44 }), candidate({ move: '4', proof: { lower: -18, upper: -18 }, ends_in: 2 }), candidate({ move: '5', margin: 3, value: 0.1 })];
  const legend = (/** @type {any[]} */ moves, kind = 'win', counts = false) => legendText(/** @type {any} */ ({ value: 0, moves }), kind, { counts, things: 'discs' });
  assert.match(legend([open]), /^On the board: the chance to win in per cent; 50 is even\. The colour/);
  assert.match(legend([open, lost]), /per cent.*\u2717 loses.*the number beside it counts the moves of the winner/);
  assert.match(legend([lead], 'win', true), /^On the board: the expected lead at the end, in discs\./);
  assert.match(legend([lead, open], 'win', true), /with a sign.*in discs; without.*per cent/);
  assert.doesNotMatch(legend([open]), /\u2717|\?/);
  assert.match(legend([open, { ...open, unsettled: true }]), /with \? /);
  assert.match(legend([lost], 'proven'), /^\u2713 wins, \u2717 loses, = draws, for certain\.$/);
  assert.deepEqual([legend([open], 'visits'), legend([open], 'off'), legend([])], ['', '', '']);
});

test('a key stands in the table of texts once, since the last one would hide the others', () => {
  for (const language of ['en', 'zh']) {
    const keys = [...readFileSync(join(PAGE, `i18n/${language}.json`), 'utf8').matchAll(/^ *"([^"]+)": /gm)].map((match) => match[1]);
    assert.ok(keys.length > 400);
    assert.deepEqual(keys.filter((key, i) => keys.indexOf(key) !== i), [], language);
  }
});

test('full-width text is read as ASCII', () => {
  assert.equal(typed('\u3000\uff11\uff12\uff0c\uff44\uff13 '), '12,d3');
  assert.equal(typed('\uff11\u3002f5\u3001d6'), '1.f5,d6');
  assert.equal(typed('hole\uff1dd3'), 'hole=d3');
});

test('a refusal has the text of its code, or its own', () => {
  assert.equal(refusalText({ code: 'match-runs', error: 'x' }), 'A match is running: stop it, or wait for its end.');
  assert.equal(refusalText({ code: 'invalid-game', error: 'chess: unknown' }), 'Board: chess: unknown');
  assert.equal(refusalText({ code: 'of-later', error: 'x' }), 'x');
  assert.equal(refusalText({}), '');
});

test('work that is asked for often is done seldom, and once more after the last time', async () => {
  let [asked, done] = [0, 0];
  const work = paced(() => { done = asked; }, 20);
  for (asked = 1; asked < 100; asked++) work.ask();
  assert.equal(done, 1);
  for (let i = 0; i < 400 && done !== asked; i++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(done, asked);
  work.ask();
  work.stop();
  assert.deepEqual(thinned([1, 2, 3, 4, 5], 5), [1, 2, 3, 4, 5]);
  assert.deepEqual(thinned([1, 2, 3, 4, 5], 4), [1, 3, 5]);
  assert.deepEqual(thinned([1, 2, 3, 4], 3), [2, 4]);
});

test('no module spells out a text', () => {
  const sources = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js') && !name.startsWith('i18n/')).map((name) => ({ name, text: readFileSync(join(PAGE, name), 'utf8') }));
  for (const { name, text } of sources) {
    const spelled = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').match(/(?:h\([^)]*\{\}, |textContent = |'aria-label': |title: |placeholder: )'[A-Z][a-z]+ [a-z]/);
    assert.equal(spelled, null, `${name}: ${spelled?.[0]} stands in the code`);
  }
});
