import { startRedis } from '../test/servers/redis';
import { expect, registerAndScan, test, waitForJob } from './fixtures';
import { isAccessible } from './is-accessible';
import { settled } from './settled';
import { Stage } from './stage';

test('two scans are compared: groups, keys and findings, and what is new since a baseline', async ({ page }) => {
  test.setTimeout(120_000);
  const [stage, redis] = await Promise.all([Stage.open(), startRedis()]);
  try {
    const client = redis.client();
    const first = client.pipeline();
    for (let i = 0; i < 40; i++) first.set(`billing:invoice:${1000 + i}`, 'x'.repeat(50), 'EX', 90_000);
    await first.rpush('queue:mail', ...Array.from({ length: 100 }, (_, i) => `mail ${i}`)).exec();
    const endpoints = [{ host: '127.0.0.1', port: redis.port }];
    const { id } = await registerAndScan(stage, { name: 'billing', topology: 'standalone', endpoints });
    const at = (place: string) => `${stage.origin}/instances/${id}${place}`;
    await page.goto(at('/compare'));
    await expect(page.getByText('There is no earlier scan to compare with')).toBeVisible();

    // A baseline is chosen where the snapshots are listed.
    await page.goto(at(''));
    await settled(page);
    await page.getByRole('button', { name: 'Make it the baseline' }).click();
    await expect(page.getByRole('cell', { name: 'Baseline' })).toBeVisible();

    const second = client.pipeline().del('billing:invoice:1000', 'billing:invoice:1001').set('Promo Code', 'x');
    await second.rpush('queue:mail', ...Array.from({ length: 500 }, (_, i) => `more ${i}`)).exec();
    const { job } = await stage.ask<{ job: { id: string } }>('POST', `/api/instances/${id}/scans`, { speed: 'fast' });
    await waitForJob(stage, job.id, ['succeeded']);

    await page.goto(at('/findings'));
    await settled(page);
    await page.getByRole('combobox', { name: 'Count new findings since' }).click();
    await page.getByRole('option', { name: 'Since the baseline' }).click();
    await page.getByRole('button', { name: 'Only new' }).click();
    await expect(page.getByRole('link', { name: 'Only lower-case letters, digits, dots and colons' })).toBeVisible();
    await page.getByRole('link', { name: 'Compare', exact: true }).last().click();
    await expect(page).toHaveURL(/list=findings.*with=baseline/);
    await expect(page.getByRole('row', { name: /N8/ })).toContainText('Promo Code');

    await page.getByRole('radio', { name: /^Keys/ }).click();
    await page.getByRole('radio', { name: /^Gone/ }).click();
    await expect(page.getByRole('row', { name: /billing:invoice:1001/ })).toBeVisible();
    await page.getByRole('radio', { name: /^Prefixes/ }).click();
    await expect(page.getByRole('row', { name: /queue:/ })).toContainText('Grown');
    await settled(page);
    await isAccessible(page, 'a comparison');
    await page.getByRole('button', { name: 'billing:invoice:' }).click();
    await expect(page).toHaveURL(/list=templates/);
    await expect(page.getByRole('button', { name: 'Compare everything' })).toBeVisible();

    const key = Buffer.from('queue:mail').toString('base64url');
    await page.goto(at(`/keys/${key}?db=0`));
    await settled(page);
    await page.getByRole('button', { name: 'Show the history' }).click();
    await expect(page.getByRole('region', { name: 'History' }).getByRole('row')).toHaveCount(3);
  } finally {
    await Promise.all([stage.close(), redis.stop()]);
  }
});
