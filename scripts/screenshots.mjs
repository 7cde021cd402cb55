/**
 * Takes the pictures of the README from a running demo (`npm run demo` in another terminal):
 *   node scripts/screenshots.mjs [address]
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureChromium } from './ensure/chromium.mjs';
import { note, root, stop } from './run.mjs';

const stateFile = join(root, '.demo/demo.json');
const origin =
  process.argv[2] ??
  (existsSync(stateFile) ? `http://127.0.0.1:${JSON.parse(readFileSync(stateFile, 'utf8')).web}` : null);
if (!origin) stop('No demo is running. Start it with: npm run demo');

const { instances } = await (await fetch(`${origin}/api/instances`)).json();
const id = (name) =>
  instances.find((instance) => instance.name === name)?.id ?? stop(`The demo has no instance “${name}”.`);
const [mall, social] = [id('mall'), id('social')];

const PICTURES = [
  { file: 'fleet-light', path: '/', theme: 'light' },
  { file: 'overview-light', path: `/instances/${mall}`, theme: 'light' },
  { file: 'findings-light', path: `/instances/${mall}/findings`, theme: 'light' },
  { file: 'tree-light', path: `/instances/${mall}/tree`, theme: 'light' },
  { file: 'bigkeys-dark', path: `/instances/${mall}/bigkeys`, theme: 'dark' },
  { file: 'ttl-light', path: `/instances/${mall}/ttl`, theme: 'light' },
  { file: 'slots-dark', path: `/instances/${social}/slots`, theme: 'dark' },
  { file: 'tree-zh-dark', path: `/instances/${mall}/tree`, theme: 'dark', locale: 'zh-CN' },
];

const folder = join(root, 'docs/images');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
  ],
});
for (const { file, path, theme, locale = 'en' } of PICTURES) {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 860 },
    colorScheme: theme,
    locale,
    reducedMotion: 'reduce',
  });
  await context.addCookies([{ name: 'locale', value: locale, url: origin }]);
  await context.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('.animate-pulse, [aria-busy="true"]') === null);
  // The first HTML shows the numbers already: charts are drawn once the page is taken over.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main, main button, main a')].every((element) =>
      Object.keys(element).some((key) => key.startsWith('__react')),
    ),
  );
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(folder, `${file}.png`) });
  await context.close();
  note(`docs/images/${file}.png`);
}
await browser.close();
