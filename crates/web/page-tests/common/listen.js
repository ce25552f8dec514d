/** A server of a test on a free port of this machine. */

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<{ origin: string, stop: () => Promise<unknown> }>}
 */
export async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${address.port}`, stop };
}
