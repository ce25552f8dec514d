/** A host of files, below a prefix, with the headers that `scripts/site` names. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { listen } from '../browser/listen.js';

const PREFIX = '/lab/games';

/** @type {Record<string, string>} */
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };

/**
 * @param {string} folder
 * @returns {Promise<{ url: string, asked: string[], stop: () => Promise<unknown> }>} `asked`: the paths of all requests
 */
export async function host(folder) {
  const policy = /Content-Security-Policy: (.*)/.exec(readFileSync(join(folder, '_headers'), 'utf8'))?.[1] ?? '';
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, answer) => {
    const path = normalize(new URL(request.url ?? '', 'http://host').pathname);
    asked.push(path);
    let file = join(folder, path.slice(PREFIX.length));
    if (path.startsWith(`${PREFIX}/`) && existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!path.startsWith(`${PREFIX}/`) || !existsSync(file)) {
      answer.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(file);
    answer.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-length': bytes.length, 'content-security-policy': policy });
    answer.end(bytes);
  });
  const { origin, stop } = await listen(server);
  return { url: `${origin}${PREFIX}/`, asked, stop };
}
