import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test, waitForJob } from './fixtures';
import { isAccessible } from './is-accessible';
import { settled } from './settled';
import { Stage } from './stage';

test.describe
  .serial('trends', () => {
    let stage: Stage;
    let redis: RedisServer;
    let shop: Scanned;
    const at = (place: string) => `${stage.origin}/instances/${shop.id}${place}`;
    const grow = async (keys: number) => {
      const client = redis.client();
      for (let i = 0; i < keys; i++) await client.set(`cart:item:${i}`, 'x'.repeat(100));
    };

    test.beforeAll(async () => {
      test.setTimeout(120_000);
      [stage, redis] = await Promise.all([Stage.open(), startRedis()]);
      await grow(30);
      const endpoints = [{ host: '127.0.0.1', port: redis.port }];
      shop = await registerAndScan(stage, { name: 'shop', topology: 'standalone', endpoints });
    });
    test.afterAll(() => Promise.all([stage.close(), redis.stop()]));

    const countPoints = async () =>
      (await stage.ask<{ scans: unknown[] }>('GET', `/api/instances/${shop.id}/trends`)).scans.length;

    test('a second scan shows what grew, on the page and next to the figures', async ({ page }) => {
      await expect.poll(countPoints).toBe(1);
      await grow(50);
      const { job } = await stage.ask<{ job: { id: string } }>('POST', `/api/instances/${shop.id}/scans`, {
        speed: 'fast',
      });
      await waitForJob(stage, job.id, ['succeeded']);
      await expect.poll(countPoints).toBe(2);
      await page.goto(at('/trends'));
      await settled(page);
      const keys = page.locator('section', { has: page.getByRole('heading', { name: 'Keys', exact: true }) });
      await expect(keys).toContainText('50▲\u00a020');
      await expect(keys.getByRole('img', { name: /^From 30 on .* to 50 on .*, 2 scans$/ })).toBeVisible();
      await page.getByRole('radiogroup', { name: 'Grown by' }).getByText('Keys').click();
      await expect(page.getByRole('row', { name: /cart:item: prefix 30 50 \+20/ })).toBeVisible();
      await page.goto(at(''));
      await expect(page.getByText('20 more since')).toHaveCount(2);
    });

    test('a prefix is pinned and unpinned', async ({ page }) => {
      await page.goto(at('/trends'));
      await settled(page);
      await page.getByRole('textbox', { name: 'Prefix' }).fill('cart:item');
      await page.getByRole('button', { name: 'Pin', exact: true }).click();
      const unpin = page.getByRole('button', { name: 'Unpin cart:item:' });
      await expect(unpin).toBeVisible();
      await isAccessible(page, 'trends');
      await unpin.click();
      await expect(page.getByText('Nothing is pinned.')).toBeVisible();
    });
  });
