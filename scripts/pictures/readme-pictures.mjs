import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { note, root, stop } from '../run.mjs';
import { launchBrowser, untilDrawn } from './take.mjs';

const PICTURES = [
  { file: 'fleet-light', path: () => '/', theme: 'light' },
  { file: 'overview-light', path: ({ mall }) => `/instances/${mall}`, theme: 'light' },
  { file: 'findings-light', path: ({ mall }) => `/instances/${mall}/findings`, theme: 'light' },
  { file: 'tree-light', path: ({ mall }) => `/instances/${mall}/tree`, theme: 'light' },
  { file: 'bigkeys-dark', path: ({ mall }) => `/instances/${mall}/bigkeys`, theme: 'dark' },
  { file: 'ttl-light', path: ({ mall }) => `/instances/${mall}/ttl`, theme: 'light' },
  { file: 'slots-dark', path: ({ social }) => `/instances/${social}/slots`, theme: 'dark' },
  { file: 'tree-zh-dark', path: ({ mall }) => `/instances/${mall}/tree`, theme: 'dark', locale: 'zh-CN' },
];

/** Takes the pictures of the README, from a demo that runs at this address. */
export async function takeReadmePictures(origin) {
  const { instances } = await (await fetch(`${origin}/api/instances`)).json();
  const id = (name) =>
    instances.find((instance) => instance.name === name)?.id ?? stop(`The demo has no instance “${name}”.`);
  const ids = { mall: id('mall'), social: id('social') };
  const folder = join(root, 'docs/images');
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  for (const { file, path, theme, locale = 'en' } of PICTURES) {
    const context = await browser.newContext({
      viewport: { width: 1360, height: 860 },
      colorScheme: theme,
      locale,
      reducedMotion: 'reduce',
    });
    await context.addCookies([{ name: 'locale', value: locale, url: origin }]);
    const page = await context.newPage();
    await page.goto(origin + path(ids));
    await page.locator(`html.${theme}`).waitFor();
    await untilDrawn(page);
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(folder, `${file}.png`) });
    await context.close();
    note(`docs/images/${file}.png`);
  }
  await browser.close();
}
