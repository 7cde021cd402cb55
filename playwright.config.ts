import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, defineConfig } from '@playwright/test';
import { LONG } from './test/long-form.mjs';

/** CHROMIUM_PATH, else the browser that Playwright installed, else a chromium of the system. */
function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(chromium.executablePath())) return undefined;
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Try the next name.
    }
  }
  return undefined;
}

/** Each spec starts its own production server and its own Redis (e2e/stage.ts), so that it may also kill them. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: LONG ? [] : '**/*.long.spec.ts',
  outputDir: 'test-results',
  // Bounds are there so that nothing hangs: a machine that is busy with other things takes its time.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A page and its server take turns, so that one of them leaves half of two cores idle. What is to be watched in its
  // midst is far away (test/servers/tcp-proxy.ts) rather than large: it waits however slow the machine is.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['./test/reporters/closing-line-playwright.ts']],
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
    // Recording each act takes a third of a test's time: COLONNADE_TRACE=1 keeps what one that fails did.
    trace: process.env.COLONNADE_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
