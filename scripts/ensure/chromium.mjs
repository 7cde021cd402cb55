import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, run, stop, which } from '../run.mjs';
import { aptInstall, howToInstall, isUbuntu, mayInstall } from './system-package.mjs';

/** The path of Playwright's own Chromium; null: it has not fetched one. */
const findPlaywrightChromium = () => {
  const { chromium } = createRequire(join(root, 'package.json'))('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
};
/**
 * The headless build, without the code that draws on a screen. Playwright fetches the same one; it is a third faster.
 */
const SHELL = 'chromium-headless-shell';
const findOnPath = () => which(SHELL) ?? which('chromium') ?? which('chromium-browser') ?? which('google-chrome');

/** Finds a browser for the tests: CHROMIUM_PATH, Playwright's own, or the system's. Fetches one if there is none. */
export async function ensureChromium() {
  const found = process.env.CHROMIUM_PATH ?? findPlaywrightChromium() ?? which(SHELL);
  if (found) return found;
  // Ubuntu's chromium is a snap that does not run everywhere. Debian's is a normal package, but has no headless shell
  // before 12.
  if (mayInstall() && !isUbuntu()) {
    if ((await aptInstall(SHELL)) && which(SHELL)) return which(SHELL);
    if (!findOnPath()) await aptInstall('chromium');
  }
  if (findOnPath()) return findOnPath();
  const withDeps = mayInstall() ? ['--with-deps'] : [];
  await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', ...withDeps, 'chromium']);
  const installed = findPlaywrightChromium();
  if (installed) return installed;
  const names = { apt: 'chromium', dnf: 'chromium', apk: 'chromium', pacman: 'chromium', brew: '--cask chromium' };
  return stop(`The browser tests need Chromium on PATH or in CHROMIUM_PATH. ${howToInstall(names)}`);
}
