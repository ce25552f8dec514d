/** A separate `banyan serve` for a test run. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts the program in the variable `BANYAN`, with an empty folder of matches unless one is given, which is then kept.
 * @param {string} [port] by default any free one
 * @param {string} [kept] the folder
 * @returns {Promise<{ url: string, folder: string, stop: () => Promise<void>, kill: () => Promise<void> }>}
 */
export async function serve(port = '0', kept = undefined) {
  const program = process.env.BANYAN;
  if (!program) throw new Error('BANYAN names no program: run ./test --only browser');
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'banyan-serve-'));
  const child = spawn(program, ['serve', '--port', port, '--dir', join(folder, 'matches'), '--searches', '4'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  const url = await new Promise((resolve, reject) => {
    const read = (/** @type {Buffer} */ data) => {
      said += data;
      const found = /http:\/\/[\w.:[\]]+\//.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(() => reject(new Error(`${program} serve ended: ${said}`)));
  });
  const stop = async () => {
    child.kill('SIGINT');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  /** Ends it abruptly, like a power failure. */
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url: String(url), folder, stop, kill };
}
