import type { Redis } from 'ioredis';
import { seedLarge } from '../test/deletions/seed-large';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { crowded } from './crowded';
import { expect, SERVER_AWAY, test } from './fixtures';
import { settled } from './settled';
import { Stage } from './stage';

const BIG = { 'shop:cart:all': 'hash', 'shop:rank:day': 'zset', 'shop:tags:all': 'set' } as const;
const ELEMENTS = 100_000;

/** The third main task of users: from the bigkey report to a deleted key, and its undo. */
test.describe
  .serial('a deletion', () => {
    let redis: RedisServer;
    let client: Redis;
    let proxy: TcpProxy;
    let stage: Stage;
    let instance: { id: string };
    let neighbours: string;
    const before = new Map<string, string>();
    const digest = async (name: string) => ((await client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0] ?? '';
    const neighbourDigest = async () =>
      ((await client.call('DEBUG', 'DIGEST-VALUE', ...NEIGHBOURS)) as string[]).join();
    const NEIGHBOURS = Array.from({ length: 50 }, (_, i) => `shop:cart:${i}`);

    test.beforeAll(async () => {
      test.setTimeout(240_000);
      [redis, stage] = await Promise.all([startRedis({ args: ['--enable-debug-command', 'yes'] }), Stage.open()]);
      client = redis.client();
      proxy = await startTcpProxy(redis.port);
      for (const [name, type] of Object.entries(BIG)) await seedLarge(client, type, name, ELEMENTS);
      for (const name of NEIGHBOURS) await client.hset(name, { a: 1, b: name });
      for (const name of Object.keys(BIG)) before.set(name, await digest(name));
      neighbours = await neighbourDigest();
      ({ instance } = await stage.ask<{ instance: { id: string } }>('POST', '/api/instances', {
        name: 'shop',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: proxy.port }],
        readOnly: false,
      }));
      const { job } = await stage.ask<{ job: { id: string } }>('POST', `/api/instances/${instance.id}/scans`, {
        speed: 'fast',
      });
      await expect
        .poll(async () => (await stage.ask<{ job: { state: string } }>('GET', `/api/jobs/${job.id}`)).job.state, {
          timeout: 90_000,
        })
        .toBe('succeeded');
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), proxy.close(), redis.stop()]);
    });

    test('is planned from the bigkey report, confirmed by name, watched, paused, killed, resumed, undone', async ({
      page,
      tolerate,
    }) => {
      test.setTimeout(480_000);
      tolerate(SERVER_AWAY);
      await page.goto(`${stage.origin}/instances/${instance.id}/bigkeys`);
      await settled(page);
      const main = page.getByRole('main');
      for (const name of Object.keys(BIG)) await main.getByRole('checkbox', { name: `Select ${name}` }).check();
      await main.getByRole('button', { name: 'Plan deletion of 3 keys…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();

      await expect(page.getByRole('heading', { level: 1, name: 'Plan: delete 3 keys' })).toBeVisible();
      await settled(page);
      await expect(main.getByText('300,000', { exact: true })).toBeVisible();
      await expect(main.getByText('HDEL', { exact: false }).first()).toBeVisible();
      const button = main.getByRole('button', { name: 'Delete 3 keys from shop' });
      await main.getByLabel('Type shop to confirm').fill('Shop');
      await expect(button).toBeDisabled();
      expect(await client.exists(...Object.keys(BIG))).toBe(3);
      await main.getByLabel('Type shop to confirm').fill('shop');
      await button.click();

      await expect(main.getByRole('button', { name: 'Stop now' })).toBeVisible();
      await expect(main.getByText('Draining').first()).toBeVisible({ timeout: 60_000 });
      // From now on the server is slow, so that the deletion runs long enough to be stopped and paused.
      proxy.spoil({ kind: 'late', ms: 20 });
      // It stops when the button is pressed, and asks what next only then.
      await main.getByRole('button', { name: 'Stop now' }).click();
      const next = page.getByRole('dialog', { name: 'Stopped. What next?' });
      await expect(next).toBeVisible();
      await next.getByRole('button', { name: 'Resume' }).click();
      await expect(next).toHaveCount(0);
      // The stop is in the top bar of every page while anything writes, and works by keyboard.
      const bar = page.getByRole('banner');
      const { width, height } = page.viewportSize()!;
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(bar.getByRole('button', { name: 'Emergency stop' })).toBeVisible();
      await expect.poll(() => page.evaluate(crowded)).toEqual([]);
      await page.setViewportSize({ width, height });
      await bar.getByRole('button', { name: 'Emergency stop' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Stop all writes' }).press('Enter');
      await expect(main.getByText('All writes are stopped')).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: 'Clear emergency stop' }).click();
      await page.keyboard.press('Escape');
      await expect(main.getByText('All writes are stopped')).toHaveCount(0);
      await main.getByRole('button', { name: 'Resume' }).click();
      await main.getByRole('button', { name: 'Pause' }).click();
      await expect(main.getByRole('button', { name: 'Resume' })).toBeVisible();
      const [trash] = (await client.keys('colonnade:trash:*')) as string[];
      expect(trash).toBeDefined();
      const size = await client.memory('USAGE', trash ?? '', 'SAMPLES', 100);
      await page.waitForTimeout(500);
      expect(await client.memory('USAGE', trash ?? '', 'SAMPLES', 100)).toBe(size);

      await stage.end('SIGKILL');
      proxy.spoil({ kind: 'none' });
      await stage.start();
      await page.reload();
      await settled(page);
      await main.getByRole('button', { name: 'Resume' }).click();
      await main.getByRole('radio', { name: 'Fast' }).click();
      await expect(main.getByText('Done', { exact: true })).toBeVisible({ timeout: 180_000 });
      await expect(main.getByRole('button', { name: 'Undo all' })).toBeEnabled();
      expect(await client.exists(...Object.keys(BIG))).toBe(0);
      await expect.poll(() => client.keys('colonnade:*')).toEqual([]);

      await main.getByRole('button', { name: 'Undo shop:rank:day' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await expect(main.getByText('Restored', { exact: true })).toBeVisible({ timeout: 120_000 });
      expect(await digest('shop:rank:day')).toBe(before.get('shop:rank:day'));
      expect(await client.exists('shop:cart:all', 'shop:tags:all')).toBe(0);
      expect(await neighbourDigest()).toBe(neighbours);

      // Another user elsewhere undoes one more key, and the open page shows it.
      await stage.ask('POST', `/api/deletions/${new URL(page.url()).pathname.split('/').at(-1)}/undo`, { items: [2] });
      await expect(main.getByText('Restored', { exact: true })).toHaveCount(2, { timeout: 120_000 });
      const { rows } = await stage.ask<{ rows: { action: string; outcome: string }[] }>('GET', '/api/audit-log');
      expect(rows.map((row) => `${row.action} ${row.outcome}`)).toEqual(
        expect.arrayContaining(['deletion.start intent', 'deletion.undo intent']),
      );
    });

    test('of a read-only instance is planned and refused', async ({ page }) => {
      await stage.ask('PATCH', `/api/instances/${instance.id}`, { readOnly: true });
      const k = Buffer.from('shop:rank:day').toString('base64url');
      await page.goto(`${stage.origin}/instances/${instance.id}/keys/${k}?db=0`);
      await settled(page);
      await page.getByRole('main').getByRole('button', { name: 'Plan deletion…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
      await expect(page.getByText('shop is marked read-only')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Delete 1 key/ })).toHaveCount(0);
      expect(await client.exists('shop:rank:day')).toBe(1);
    });

    test('tells what the decision rests on, asks what its instance has become, keeps what was set', async ({
      page,
    }) => {
      await stage.ask('PATCH', `/api/instances/${instance.id}`, { readOnly: false });
      const k = Buffer.from('shop:cart:0').toString('base64url');
      const { plan } = await stage.ask<{ plan: { id: string } }>('POST', '/api/deletions/plans', {
        task: 'delete',
        instanceId: instance.id,
        selection: { by: 'keys', keys: [{ k, db: 0 }] },
        options: {
          mode: 'quarantine',
          quarantineHours: 48,
          afterQuarantine: 'unlink',
          retentionHours: 12,
          tolerancePercent: 5,
        },
      });
      const main = page.getByRole('main');
      const fact = (name: string) => main.locator(`xpath=.//dt[.="${name}"]/following-sibling::dd[1]`);
      await page.goto(`${stage.origin}/instances/${instance.id}/deletions/${plan.id}`);
      await settled(page);
      await expect(fact('Address')).toHaveText(`127.0.0.1:${proxy.port}`);
      await expect(fact('Server that was read')).toContainText(`127.0.0.1:${proxy.port} · master`);
      await expect(fact('Quarantine')).toContainText('then UNLINK');
      await expect(fact('Archive retention')).toContainText('no archive');
      await expect(fact('Tolerance')).toContainText('±5 %');
      const agree = main.getByRole('checkbox', { name: 'I know that this is a production instance.' });
      await expect(
        main.getByRole('checkbox', { name: 'I know that keys deleted without an archive cannot be restored.' }),
      ).toBeVisible();
      await expect(agree).toHaveCount(0);
      await stage.ask('PATCH', `/api/instances/${instance.id}`, { production: true });
      await expect(agree).toBeVisible();

      await main.getByRole('button', { name: 'Change plan' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByLabel('Quarantine, hours')).toHaveValue('48');
      await expect(dialog.getByLabel('After the quarantine')).toHaveText('UNLINK');
      await expect(dialog.getByText('Cannot be undone from then on')).toBeVisible();
      // Options that were set are not collapsed.
      const tolerance = dialog.getByLabel('Length may differ by, %');
      await expect(tolerance).toHaveValue('5');
      await tolerance.fill('250');
      await dialog.getByLabel('Quarantine, hours').fill('24');
      await dialog.getByRole('button', { name: 'Create plan' }).click();
      await expect(tolerance).toHaveAccessibleDescription('Enter a number from 0% to 100%.');
      await expect(tolerance).toBeFocused();
      await tolerance.fill('2.5');
      await dialog.getByLabel('Keys that expire within a minute').click();
      await page.getByRole('option', { name: 'Skip them' }).click();
      await dialog.getByLabel('After the quarantine').click();
      await page.getByRole('option', { name: 'Drain with archive' }).click();
      // Only a mode with an archive has a retention, and the former value is kept.
      await expect(dialog.getByLabel('Archive retention, hours')).toHaveValue('12');
      // The list that was chosen from gives its field the focus when it has closed.
      await expect(page.getByRole('listbox')).toHaveCount(0);
      await expect(dialog.getByLabel('After the quarantine')).toBeFocused();
      await tolerance.press('Enter');
      await expect(page).not.toHaveURL(new RegExp(plan.id));
      await expect(fact('Quarantine')).toContainText('then Drain with archive');
      await expect(fact('Archive retention')).toContainText('12 h');
      await expect(fact('Keys that expire within a minute')).toHaveText('Skip them');
      await expect(fact('Tolerance')).toContainText('±2.5 %');
      await expect(
        main.getByRole('checkbox', { name: 'I know that keys deleted without an archive cannot be restored.' }),
      ).toHaveCount(0);
      await stage.ask('PATCH', `/api/instances/${instance.id}`, { production: false });
    });
  });
