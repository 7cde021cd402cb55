import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** The scripts that a page loads from now on; ask once the page rests. */
export function loadedScripts(page: Page): () => Promise<Buffer[]> {
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return;
    const body = response.body();
    // One that comes after the question is lost with its page, which is nobody's failure.
    body.catch(() => {});
    scripts.push(body);
  });
  return () => Promise.all(scripts);
}

/** What they weigh, each compressed by itself, KiB. */
export const weightOf = (scripts: readonly Buffer[]): number =>
  scripts.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024;
