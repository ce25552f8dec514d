import { readFile } from 'node:fs/promises';

/**
 * The bytes of a file of the package, in Node.
 * @param {URL} url
 */
export async function read(url) {
  return new Uint8Array(await readFile(url));
}
