/** Debian's Chromium, without network access beyond this machine. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/**
 * A browser with a new profile, as Playwright's persistent context.
 * @param {import('playwright-core').BrowserContextOptions & { flags?: string[], ignoreDefaultArgs?: string[] }} [options] `flags`: more arguments of Chromium
 */
export async function launch({ flags = [], ...options } = {}) {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM}: not found: run ./test --only browser, which looks for Chromium`);
  const profile = mkdtempSync(join(tmpdir(), 'banyan-page-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, headless: true, args: [...ARGUMENTS, ...flags], ...options });
  // Long, as builds may run beside the tours.
  context.setDefaultTimeout(45_000);
  const close = async () => {
    await context.close();
    // Chromium may still write to its profile; remaining files are in the folder of temporary files.
    await new Promise((resolve) => setTimeout(resolve, 300));
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      return;
    }
  };
  return { context, close };
}
