import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt } from '../scripts/ensure/build.mjs';
import { LONG } from '../test/long-form.mjs';
import { type Child, freePort, removeFolder, startChild, temporaryFolder, until } from '../test/servers/process';
import { expect, test } from './fixtures';
import { settled } from './settled';

const root = join(import.meta.dirname, '..');

/**
 * Runs `npm run demo` as a user does, with fewer keys. It has no accounts, and says so at the start and on every page.
 */
test.describe
  .serial('the demo', () => {
    let demo: Child;
    let folder: string;
    let origin: string;

    test.beforeAll(async () => {
      test.setTimeout(240_000);
      if (!isBuilt()) throw new Error('Sources have changed since the last build. Run npm run build first.');
      folder = temporaryFolder('colonnade-demo-');
      const port = await freePort();
      // The demo first tries its former ports, so they are set to free ones: another demo may search at the same time.
      const [standalone, ...cluster] = [await freePort(), await freePort(), await freePort(), await freePort()];
      writeFileSync(
        join(folder, 'demo.json'),
        JSON.stringify({ standalone, cluster: cluster.toSorted((a, b) => a - b) }),
      );
      origin = `http://127.0.0.1:${port}`;
      const options = ['--keys', '1500', '--port', String(port), '--folder', folder];
      demo = startChild(process.execPath, [join(root, 'scripts/demo.mjs'), ...options], root);
      await until('the demo to be ready', async () => demo.output().includes('Colonnade is ready'), 200_000);
    });
    test.afterAll(async () => {
      demo?.kill('SIGINT');
      const code = await demo?.exited;
      removeFolder(folder);
      expect(code, demo?.output()).toBe(0);
    });

    test('says where it is, and that nobody signs in', async () => {
      const [before = '', after = ''] = demo.output().split('Colonnade is ready:');
      const sentence =
        'Nobody signs in: whoever uses this machine is the administrator (COLONNADE_SINGLE_USER=1). For a demo only.';
      expect(before).toContain(`${origin}  (still reading the keys)\n${sentence}\n`);
      expect(after).toContain(`  ${origin}\n  ${sentence}\n`);
      // It listens at the address that it prints, on loopback only.
      expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toMatchObject({
        web: Number(new URL(origin).port),
      });
    });

    test('its first page leads to the tree, to bigkeys and to a deletion that can be undone', async ({ page }) => {
      await page.goto(origin);
      await settled(page);
      const main = page.getByRole('main');
      for (const name of ['namespace tree', 'bigkeys'])
        await expect(main.getByRole('link', { name, exact: true })).toBeVisible();
      await main.getByRole('link', { name: 'a deletion that can be undone' }).click();
      await expect(main.getByRole('button', { name: 'Undo all' })).toBeEnabled();
    });

    for (const [locale, mark, sentence, out] of [
      ['en', 'Single user', 'Nobody signs in: whoever uses this machine is the administrator', 'Sign out'],
      ['zh-CN', '单用户模式', '无需登录', '退出登录'],
    ] as const)
      test(`its top bar says so in every page, ${locale}`, async ({ page }) => {
        test.setTimeout(180_000);
        await page.context().addCookies([{ name: 'locale', value: locale, url: origin }]);
        for (const path of LONG || locale === 'en' ? ['/', '/jobs', '/audit', '/instances/new'] : ['/']) {
          await page.goto(origin + path);
          await settled(page);
          const banner = page.getByRole('banner');
          await expect(banner.getByText(mark, { exact: true })).toBeVisible();
        }
        await page.getByRole('banner').getByRole('button', { name: mark }).click();
        await expect(page.getByText(sentence)).toBeVisible();
        await expect(page.getByRole('menuitem', { name: out })).toHaveCount(0);
      });
  });
