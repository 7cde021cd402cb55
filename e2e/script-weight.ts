import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** Counts the scripts that a page loads from now on, each compressed by itself, KiB; ask once the page rests. */
export function weighScripts(page: Page): () => Promise<number> {
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.ok())
      scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  return async () => (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0) / 1024;
}
