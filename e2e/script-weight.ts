import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** Collects the scripts that a page loads from now on; call the result when the page is idle. */
export function loadedScripts(page: Page): () => Promise<Buffer[]> {
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return;
    const body = response.body();
    // A script that arrives after the check is lost with its page, which is no failure.
    body.catch(() => {});
    scripts.push(body);
  });
  return () => Promise.all(scripts);
}

/** Returns the size of the scripts, each compressed separately, KiB. */
export const measureWeight = (scripts: readonly Buffer[]): number =>
  scripts.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024;
