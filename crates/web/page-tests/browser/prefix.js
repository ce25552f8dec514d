/** A proxy that serves a server below a prefix, as a reverse proxy of a site does. */

import { createServer, request } from 'node:http';

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
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (proxy.address());
  const stop = () => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  };
  return { url: `http://127.0.0.1:${address.port}${prefix}/`, strays, stop };
}
