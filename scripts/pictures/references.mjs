import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { register } from 'tsx/esm/api';
import { note } from '../run.mjs';
import { startPictureDemo } from './picture-demo.mjs';
import { PictureReader } from './picture-reader.mjs';
import { buildReferencePath, REFERENCES } from './reference-files.mjs';
import { eachLook, LOCALES, launchBrowser, takePicture, untilDrawn } from './take.mjs';

/** Writes all references again. With `keep` the full pictures are also saved in that folder for inspection. */
export async function writeReferences({ keep } = {}) {
  register();
  const { listPictured } = await import('../../e2e/pages.ts');
  const demo = await startPictureDemo();
  const browser = await launchBrowser();
  try {
    rmSync(REFERENCES, { recursive: true, force: true });
    for (const locale of LOCALES) {
      const context = await browser.newContext({ locale });
      await context.addCookies([{ name: 'locale', value: locale, url: demo.origin }]);
      const page = await context.newPage();
      const reader = new PictureReader(await context.newPage());
      // Visit every page once first, so that everything computed at the first visit is cached when the pictures are
      // taken.
      if (locale === LOCALES[0]) for (const { path } of listPictured(demo)) await visit(page, demo.origin + path);
      for (const { name, path } of listPictured(demo)) {
        await visit(page, demo.origin + path);
        for await (const look of eachLook(page)) {
          const file = buildReferencePath(name, { locale, ...look });
          const { png, blocks } = await waitUntilSteady(page, reader);
          save(join(REFERENCES, file), await reader.write(blocks));
          if (keep) save(join(keep, file), png);
        }
        note(`${name}, ${locale}`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
    await demo.end();
  }
}

async function visit(page, url) {
  await page.goto(url);
  await untilDrawn(page);
}

/**
 * Waits until two pictures in a row are the same: everything that is redrawn after the viewport has changed is then
 * finished.
 */
async function waitUntilSteady(page, reader) {
  let before = '';
  for (let tries = 0; tries < 50; tries++) {
    const png = await takePicture(page);
    const blocks = await reader.reduce(png);
    if (JSON.stringify(blocks) === before) return { png, blocks };
    before = JSON.stringify(blocks);
    await page.waitForTimeout(50);
  }
  throw new Error(`Does not come to rest: ${page.url()}`);
}

function save(file, bytes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
