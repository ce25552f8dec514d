// The packed npm package in an empty folder: the examples of its README, its types, and its errors.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { TARGET } from './module.js';

const COMPILER = process.env.TSC ?? join(TARGET, 'page/node_modules/typescript/bin/tsc');
const OPTIONS = { strict: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', types: [] };
/** With the types of a web page. */
const PAGE = { lib: ['ES2022', 'DOM'] };

const folder = mkdtempSync(join(tmpdir(), 'banyan-games-'));
const installed = join(folder, 'node_modules/banyan-games');
/** The package. */
let games;
/** The JavaScript of the README: the title of its section, and the code. */
let examples;

before(async () => {
  const packed = process.env.PACKAGE ?? join(TARGET, 'npm', readdirSync(join(TARGET, 'npm')).find((name) => name.endsWith('.tgz')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', packed], { cwd: folder });
  games = await import(pathToFileURL(join(installed, 'index.js')).href);
  const sections = readFileSync(join(installed, 'README.md'), 'utf8').split(/^## /m);
  examples = sections.flatMap((section) => [...section.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => [section.split('\n')[0], code]));
});

after(() => rmSync(folder, { recursive: true }));

/** What TypeScript reports about files of the folder. */
function typeErrors(files, options) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }));
  const { stdout, error } = spawnSync(process.execPath, [COMPILER, '-p', folder], { cwd: folder, encoding: 'utf8' });
  if (error) throw error;
  return stdout;
}

/** What TypeScript reports about texts. */
function typeErrorsIn(texts, options) {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  return typeErrors(Object.keys(texts), options);
}

/** The rejection of a promise. */
const refusal = (promise) => promise.then((answer) => assert.fail(`no refusal: ${JSON.stringify(answer)}`), (error) => error);

test('the examples print what the README says', () => {
  assert.ok(examples.length >= 6, `${examples.length} examples`);
  for (const [title, code] of examples) {
    writeFileSync(join(folder, 'example.mjs'), code);
    const { stdout, stderr, status } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, `${title}: ${stderr}`);
    const expected = [...code.matchAll(/console\.log\(.*;\s+\/\/ (.*)$/gm)].map(([, text]) => text);
    assert.ok(expected.length > 0, `${title}: nothing is printed`);
    assert.deepEqual(stdout.trim().split('\n'), expected, title);
  }
});

test('the examples are typed, and mistakes are found by the compiler', () => {
  // The last example reads files of Node, whose types are not here.
  const files = examples.filter(([, code]) => !code.includes("'node:")).map(([, code], i) => [`example${i}.ts`, code]);
  const mistakes = `
    import { analyse, legalMoves, solve, type Analysis } from 'banyan-games';
    // @ts-expect-error a position names its game
    await legalMoves({ moves: ['1'] });
    // @ts-expect-error a budget is text
    await solve('reversi', { budget: 100 });
    // @ts-expect-error no such option
    await analyse('reversi', { players: 'mcgs' });
    // @ts-expect-error no such field
    await analyse('reversi', { onProgress: ({ moves }) => moves[0]?.score });
    // @ts-expect-error the game may be over
    const best: string = (await analyse('reversi')).best;
    export const used: [string, Analysis | null] = [best, null];
  `;
  assert.equal(typeErrorsIn({ ...Object.fromEntries(files), 'mistakes.ts': mistakes }, PAGE), '');
});

test('the types need neither those of Node nor those of a page', () => {
  const text = "import { analyse, type Review } from 'banyan-games'; export const review: Review | null = null; await analyse('reversi');";
  assert.equal(typeErrorsIn({ 'bare.ts': text }, { lib: ['ES2022'] }), '');
});

test('answers have their types, without further fields', async () => {
  const { about, analyse, chooseMove, exportGame, importGames, review, solve, state } = games;
  const literals = [];
  const add = (type, value) => literals.push(`const a${literals.length}: ${type} = ${JSON.stringify(value)}; void a${literals.length};`);
  const spots = [
    { game: 'connect-four:4x4', moves: ['1', '1', '2', '2', '3', '3', '4'] },
    { game: 'connect-four:5x6,hole=c2', moves: ['1'] },
    { game: 'reversi:4x4', moves: ['b1'] },
    { game: 'reversi', moves: ['f5', 'f6', 'e6', 'f4', 'g5'] },
    { game: 'dots-and-boxes:3x3', moves: ['h0,0', 'v0,0', 'h1,0'] },
  ];
  for (const spot of spots) {
    add('State', await state(spot));
    for (const player of ['mcgs', 'pvs', 'best']) {
      add('Analysis', await analyse(spot, { player, budget: 'nodes=500', lines: player === 'pvs' ? 1 : 'all', onProgress: (event) => add('Analysis', event) }));
    }
    add('Analysis', await chooseMove(spot, { player: 'level-2', budget: 'playouts=20' }));
    add('Solution', await solve(spot, { budget: 'nodes=20000' }));
    // Long enough for progress to be reported.
    add('Review', await review(spot, { player: 'uct', budget: spot.moves.length > 4 ? '150ms' : 'playouts=100', players: ['one', 'other'], onProgress: (event) => add('ReviewProgress', event) }));
    const forms = await exportGame(spot, { players: ['one', 'other'] });
    add('WrittenForm[]', forms);
    for (const { text } of forms) add('Imported', await importGames({ text, game: spot.game }));
  }
  // No machine solves it in this time.
  add('Solution', await solve('dots-and-boxes:5x5', { budget: '600ms', onProgress: (event) => add('Solving', event) }));
  const { games: offered, players, ...more } = await about();
  add('About', { games: offered, players: players.filter(({ player }) => ['uct', 'pvs', 'solver', 'level-1', 'level-2'].includes(player)), ...more });
  const types = [...new Set(literals.map((line) => /: (\w+)/.exec(line)[1]))];
  const text = [`import type { ${types.join(', ')} } from 'banyan-games';`, ...literals, 'export {};'].join('\n');
  assert.ok(types.length >= 9, types.join());
  assert.equal(typeErrorsIn({ 'answers.ts': text }, PAGE), '');
});

test('the code of the package has its types', () => {
  // Files of packages are not checked where they are installed.
  const own = join(folder, 'own');
  cpSync(installed, own, { recursive: true });
  const files = ['index.js', 'engine.js', 'errors.js'].map((name) => join(own, name));
  assert.equal(typeErrors(files, { lib: ['ESNext', 'DOM'], allowJs: true, checkJs: true }), '');
});

test('a page may import the modules without a bundler', () => {
  const modules = readdirSync(installed).filter((name) => name.endsWith('.js'));
  const imported = modules.flatMap((name) => [...readFileSync(join(installed, name), 'utf8').matchAll(/^(?:import|export) .*from '(.+)';$/gm)]);
  assert.ok(modules.length >= 4 && imported.length >= 4);
  for (const [line, specifier] of imported) assert.ok(modules.includes(specifier.replace('./', '')) && specifier.startsWith('./'), line);
});

test('a mistake is an error with one line and its code', async () => {
  const { analyse, chooseMove, importGames, legalMoves, solve } = games;
  const aborted = AbortSignal.abort(new Error('mine'));
  for (const [promise, code, field, part] of [
    [legalMoves('go'), 'invalid-game', 'game', 'unknown game "go"'],
    [legalMoves({ game: 'reversi', moves: ['a1'] }), 'invalid-moves', 'moves', 'a1 turns over no white disc'],
    [legalMoves({ game: 'reversi', position: '?' }), 'invalid-position', 'position', 'expected'],
    [legalMoves(), 'invalid', undefined, 'missing field `game`'],
    [analyse('reversi', { budget: 'plenty' }), 'invalid-budget', 'budget', 'expected a time'],
    [analyse('reversi', { budget: 5 }), 'invalid', undefined, 'expected a string'],
    [analyse('reversi', { player: 'nobody' }), 'invalid-player', 'player', 'unknown player'],
    [analyse('connect-four', { player: 'uct', budget: 'infinite' }), 'invalid-budget', 'budget', 'expected a signal or onProgress'],
    [analyse('connect-four', { player: 'pvs', budget: 'infinite', onProgress() {} }), 'invalid-budget', 'budget', 'cannot be interrupted'],
    [chooseMove('connect-four', { player: 'uct', budget: 'infinite' }), 'invalid-budget', 'budget', 'expected a time'],
    [solve('connect-four', { budget: 'playouts=5' }), 'invalid-budget', 'budget', 'expected a time'],
    [solve('connect-four', { signal: aborted }), 'aborted', undefined, 'aborted by its signal'],
    [importGames('hello'), 'invalid-text', 'text', 'expected a move'],
  ]) {
    const error = await refusal(promise);
    assert.ok(error instanceof games.BanyanError && error instanceof Error, String(error));
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    assert.ok(error.message.includes(part) && !error.message.includes('\n'), error.message);
  }
  const { name, cause } = await refusal(analyse('connect-four', { signal: aborted }));
  assert.deepEqual([name, cause.message], ['AbortError', 'mine']);
});

test('an analysis lets other work have its turn, and ends when it is told to', async () => {
  const { analyse, legalMoves } = games;
  const controller = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => { ticks += 1; }, 20);
  const endless = refusal(analyse('connect-four', { player: 'mcgs', budget: 'infinite', signal: controller.signal }));
  const other = analyse('reversi:6x6', { player: 'uct', budget: '300ms' });
  const begun = performance.now();
  assert.equal((await legalMoves('reversi')).length, 4);
  assert.ok((await other).playouts > 0);
  setTimeout(() => controller.abort(), 200);
  assert.equal((await endless).code, 'aborted');
  clearInterval(timer);
  // Slices of two analyses in turn; a busy machine is slower, but must not be held.
  assert.ok(ticks >= 4, `${ticks} ticks in ${(performance.now() - begun).toFixed(0)} ms`);
  let calls = 0;
  const stopped = await analyse('connect-four', { player: 'uct', budget: 'infinite', onProgress: () => { calls += 1; return calls < 2; } });
  assert.ok(calls === 2 && stopped.best !== null);
  // The callback also reaches a search that holds the thread.
  const late = new AbortController();
  const held = analyse('reversi', { player: 'pvs', budget: '30s', signal: late.signal, onProgress: () => late.abort() });
  assert.equal((await refusal(held)).code, 'aborted');
  const mine = new Error('mine');
  assert.equal(await refusal(analyse('connect-four', { player: 'uct', budget: '5s', onProgress: () => { throw mine; } })), mine);
});

test('a search in slices is the same as in one piece, and a kept tree is continued', async () => {
  const { analyse } = games;
  const result = ({ best, playouts, moves }) => ({ best, playouts, moves });
  const search = (onProgress) => analyse('connect-four', { player: 'mcgs', budget: 'playouts=100000', onProgress });
  assert.deepEqual(result(await search()), result(await search(() => true)));
  const keep = 'mine';
  assert.equal((await analyse('connect-four', { player: 'uct', budget: 'playouts=2000', keep })).reused, 0);
  assert.ok((await analyse({ game: 'connect-four', moves: ['4'] }, { player: 'uct', budget: 'playouts=2000', keep })).reused > 0);
});

test('files are read in another way if asked, weights before the first search that needs them, and again after a failure', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { chooseMove, init, legalMoves } from 'banyan-games';
    const first = await init({ read: async () => { throw new Error('status 404'); } }).catch((error) => error);
    console.log(first.code, first.message);
    const names = [];
    const read = async (name) => {
      const bytes = readFileSync('node_modules/banyan-games/' + name);
      // The first time, weights are damaged.
      if (name.endsWith('.weights') && !names.includes(name)) bytes.fill(0);
      names.push(name);
      return bytes;
    };
    await init({ read });
    await legalMoves('reversi');
    await chooseMove('reversi:6x6', { budget: 'nodes=100' });
    console.log(names.join());
    const move = () => chooseMove('reversi', { budget: 'nodes=100' }).then(({ playouts, nodes }) => nodes + playouts > 0, (error) => error.message);
    const both = await Promise.all([move(), move()]);
    console.log(both.join(' | '));
    while (await move() !== true);
    console.log(names.length);`;
  writeFileSync(join(folder, 'read.mjs'), program);
  const lines = execFileSync(process.execPath, ['read.mjs'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  assert.match(lines[0], /^not-loaded banyan_wasm_bg\.wasm: status 404: expected this file of the package; .*init\(\{ read \}\)$/);
  assert.equal(lines[1], 'banyan_wasm_bg.wasm');
  const weights = readdirSync(installed).filter((name) => name.endsWith('.weights'));
  for (const told of lines[2].split(' | ')) assert.match(told, weights.length > 0 ? /^reversi-\w+\.weights: damaged/ : /^true$/);
  assert.equal(Number(lines[3]), 1 + 2 * weights.length);
});
