import { seedStandalone } from '../scripts/seed/seed.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { expect, PASSWORD, test } from './fixtures';
import { settled } from './settled';
import { Stage } from './stage';

/** A new user goes from an empty Colonnade to a result. */
test.describe
  .serial('the first minute', () => {
    let redis: RedisServer;
    let proxy: TcpProxy;
    let stage: Stage;
    let instanceUrl: string;

    test.beforeAll(async () => {
      test.setTimeout(240_000);
      [redis, stage] = await Promise.all([startRedis({ args: ['--enable-debug-command', 'yes'] }), Stage.open()]);
      await seedStandalone(redis.port, { keys: 8000 });
      const client = redis.client();
      await client.call('DEBUG', 'POPULATE', '20000', 'log:entry', '16');
      await client.config('SET', 'requirepass', PASSWORD);
      proxy = await startTcpProxy(redis.port);
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), proxy.close(), redis.stop()]);
    });

    test('register with a wrong, then the right password', async ({ page, tolerate }) => {
      tolerate(/502 \(Bad Gateway\).*\/api\/instances\/test/);
      await page.goto(stage.origin);
      await settled(page);
      await page.getByRole('link', { name: 'Register instance' }).first().click();
      await expect(page.getByRole('heading', { level: 1, name: 'Register instance' })).toBeVisible();

      await page.getByLabel('Host').fill('127.0.0.1');
      await page.getByLabel('Port').fill(String(proxy.port));
      await page.getByLabel('Name', { exact: true }).fill('newcomer');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByText('User or password is wrong')).toBeVisible();
      await expect(page.getByText('not the password')).toHaveCount(0);

      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Test again' }).click();
      await expect(page.getByText('Connected', { exact: true })).toBeVisible();

      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'newcomer' })).toBeVisible();
      instanceUrl = page.url();
      expect(await page.content()).not.toContain(PASSWORD);
    });

    test('scan, pause, resume', async ({ page }) => {
      test.setTimeout(240_000);
      await page.goto(instanceUrl);
      await settled(page);
      const main = page.getByRole('main');
      await main.getByRole('button', { name: /^Scan/ }).first().click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText('Nothing is written to Redis');
      await dialog.getByRole('switch', { name: 'Sample values' }).click();
      // The server is slowed down, so that the scan can be paused in the middle.
      proxy.spoil({ kind: 'late', ms: 3 });
      await dialog.getByRole('button', { name: 'Start scan' }).click();
      await expect(dialog).toBeHidden();

      await main.getByRole('button', { name: 'Pause' }).click();
      await expect(main.getByRole('button', { name: 'Resume' })).toBeVisible();
      await expect(main.getByText('Paused', { exact: true })).toBeVisible();

      await main.getByRole('button', { name: 'Resume' }).click();
      await expect(main.getByRole('button', { name: 'Pause' })).toBeVisible();
      await main.getByRole('radio', { name: 'Fast' }).click();
      proxy.spoil({ kind: 'none' });
      await expect(main.getByRole('button', { name: 'Pause' })).toHaveCount(0, { timeout: 120_000 });
      await settled(page);
      await expect(main.getByText(/^2[789],\d{3}$/).first()).toBeVisible();
    });

    test('read what small values look like, and never a value', async ({ page }) => {
      await page.goto(`${instanceUrl}/findings/V20`);
      await settled(page);
      const row = page.getByRole('region', { name: 'Groups' }).getByRole('row').filter({ hasText: 'user:token:' });
      await expect(row).toContainText('hold a token');
      expect(await page.content()).not.toContain('eyJhbGci');
    });

    test('drill into the namespace tree', async ({ page }) => {
      await page.goto(`${instanceUrl}/tree`);
      await settled(page);
      const table = page.getByRole('region', { name: /^Children of/ });
      await table.getByRole('button', { name: /^mall\b/ }).click();
      await expect(page).toHaveURL(/prefix=mall/);
      await table.getByRole('button', { name: /^order\b/ }).click();
      // Thousands of ids are folded into one node.
      await expect(table.getByText('{int}')).toBeVisible();
      await page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: 'mall' }).click();
      await expect(table.getByRole('button', { name: /^cart\b/ })).toBeVisible();
      await page.reload();
      await expect(table.getByRole('button', { name: /^cart\b/ })).toBeVisible();
    });

    test('filter the bigkeys, open one, read a preview', async ({ page }) => {
      await page.goto(`${instanceUrl}/bigkeys`);
      await settled(page);
      await expect(page.getByRole('link', { name: 'mall:index:sku' })).toBeVisible();
      await page.getByRole('group', { name: 'Bigkeys by type' }).getByRole('button', { name: /^zset/ }).last().click();
      await expect(page.getByRole('link', { name: 'rank:global:score' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'mall:index:sku' })).toHaveCount(0);
      await expect(page).toHaveURL(/type=zset/);

      await page.getByRole('link', { name: 'rank:global:score' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'rank:global:score' })).toBeVisible();
      await settled(page);
      await expect(page.getByRole('row', { name: /Type zset zset/ })).toBeVisible();
      await page.getByRole('button', { name: 'Load preview' }).click();
      await expect(page.getByRole('columnheader', { name: 'Score' })).toBeVisible();
    });

    test('see the slots', async ({ page }) => {
      await page.goto(`${instanceUrl}/slots`);
      await settled(page);
      await expect(page.getByText('Mean per slot')).toBeVisible();
      await expect(page.locator('canvas').first()).toBeVisible();
    });
  });
