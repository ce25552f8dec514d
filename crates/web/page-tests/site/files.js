/** A host of files, below a prefix, with the headers that `scripts/site` names, and with compressed twins where a folder has them. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { listen } from '../common/listen.js';

const PREFIX = '/lab/games';

/** @type {Record<string, string>} */
const TYPES = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };

/** What is sent in place of a file: other bytes, or nothing, and it is missing. @typedef {(bytes: Buffer) => Buffer | null} Change */

/**
 * @typedef {object} Host
 * @property {string} url
 * @property {{ path: string, bytes: number }[]} asked all requests, with the length of their answers
 * @property {Map<string, Change>} changes by the path of a file in the folder
 * @property {() => Promise<unknown>} stop
 */

/**
 * @param {string | undefined} folder
 * @returns {Promise<Host>}
 */
export async function host(folder) {
  if (!folder) throw new Error('SITE names no folder: run ./test --only site');
  const policy = /Content-Security-Policy: (.*)/.exec(readFileSync(join(folder, '_headers'), 'utf8'))?.[1] ?? '';
  /** @type {Host['asked']} */
  const asked = [];
  /** @type {Host['changes']} */
  const changes = new Map();
  const server = createServer((request, answer) => {
    const path = normalize(new URL(request.url ?? '', 'http://host').pathname);
    const name = path.slice(PREFIX.length + 1) || 'index.html';
    const file = join(folder, name);
    const isThere = path.startsWith(`${PREFIX}/`) && existsSync(file) && statSync(file).isFile();
    const change = changes.get(name);
    const isCompressed = !change && /\bbr\b/.test(String(request.headers['accept-encoding'])) && existsSync(`${file}.br`);
    const found = isThere ? readFileSync(isCompressed ? `${file}.br` : file) : null;
    const bytes = found && change ? change(found) : found;
    const tag = bytes ? `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"` : '';
    const isKnown = tag !== '' && request.headers['if-none-match'] === tag;
    asked.push({ path, bytes: isKnown ? 0 : bytes?.length ?? 0 });
    if (!bytes) {
      answer.writeHead(404).end();
      return;
    }
    if (isKnown) {
      answer.writeHead(304, { etag: tag }).end();
      return;
    }
    const encoding = isCompressed ? { 'content-encoding': 'br', vary: 'accept-encoding' } : {};
    answer.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-length': bytes.length, etag: tag, 'content-security-policy': policy, ...encoding });
    answer.end(bytes);
  });
  const { origin, stop } = await listen(server);
  return { url: `${origin}${PREFIX}/`, asked, changes, stop };
}
