/** A proxy that serves a server below a prefix, as a reverse proxy of a site does. */

import { createServer, request } from 'node:http';
import { listen } from '../common/listen.js';

/**
 * Forwards `PREFIX/PATH` to `PATH` of the server, and answers everything else with 404.
 * @param {string} url of the server
 * @param {string} prefix `/lab/banyan`
 * @returns {Promise<{ url: string, strays: string[], stop: () => Promise<unknown> }>} `strays`: paths asked for outside the prefix
 */
export async function behindPrefix(url, prefix) {
  const { hostname, port } = new URL(url);
  /** @type {string[]} */
  const strays = [];
  const proxy = createServer((asked, answer) => {
    const path = asked.url ?? '';
    if (!path.startsWith(`${prefix}/`)) {
      strays.push(path);
      answer.writeHead(404).end();
      return;
    }
    const onward = request({ hostname, port, method: asked.method, path: path.slice(prefix.length), headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  const { origin, stop } = await listen(proxy);
  return { url: `${origin}${prefix}/`, strays, stop };
}
