/**
 * Finishes the folder of a page without a server: the answers that are known before the engine is loaded, and compressed twins of its files.
 * `node finish.mjs FOLDER [--plain]`, without the twins; scripts/site calls it.
 */

import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = resolve(process.argv[2] ?? '');
const engineFolder = join(folder, 'engine');
// Its folder does not say that it is a module, which older versions of Node ask for.
const source = readFileSync(join(engineFolder, 'banyan_wasm.js'));
const glue = await import(`data:text/javascript;base64,${source.toString('base64')}`);
glue.initSync({ module: readFileSync(join(engineFolder, 'banyan_wasm_bg.wasm')) });
const engine = new glue.Engine();

/**
 * @param {string} name
 * @param {unknown} body
 */
const answer = (name, body) => JSON.parse(engine.answer(name, JSON.stringify(body)));

const about = answer('about', null);
const spots = about.games.flatMap((info) => [[], info.sample].map((moves) => ({ game: info.name, position: null, moves })));

/**
 * The files of weights that a game lacks for an analysis, which are thereby loaded.
 * @param {string} game
 */
function weightsOf(game) {
  const request = JSON.stringify({ spot: { game, position: null, moves: [] }, player: 'best', budget: 'playouts=1' });
  const files = [];
  for (;;) {
    try {
      engine.begin('analysis', request).free();
      return files;
    } catch (err) {
      const { code, field } = JSON.parse(err);
      if (code !== 'no-weights') throw new Error(err);
      engine.load(field, readFileSync(join(engineFolder, field)));
      files.push(field);
    }
  }
}

const known = [
  ['about', null, about],
  ...spots.map((spot) => ['state', spot, answer('state', spot)]),
  // No request, but what a page loads before it asks.
  ...about.games.map(({ name }) => ['weights', name, weightsOf(name)]),
];
writeFileSync(join(engineFolder, 'answers.json'), JSON.stringify(known));

const isPlain = process.argv[3] === '--plain';
const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = join(folder, name);
  if (isPlain || !statSync(file).isFile() || !/\.(?:css|html|js|json|svg|wasm|webmanifest|weights)$/.test(name)) continue;
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }));
}
