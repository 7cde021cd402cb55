import type { Redis } from 'ioredis';
import { buildAclRules } from '../lib/model/servers/acl-users';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { settled } from './settled';
import { Stage } from './stage';

const WRITE = 'correct write user';

/** One Redis user scans, another one writes: it is entered at the first deletion and removed afterwards. */
test.describe
  .serial('a user for changes', () => {
    let redis: RedisServer;
    let client: Redis;
    let stage: Stage;
    let shop: Scanned;

    test.beforeAll(async () => {
      test.setTimeout(120_000);
      [redis, stage] = await Promise.all([startRedis(), Stage.open()]);
      client = redis.client();
      const user = (name: string, password: string, commands: string) =>
        client.call('ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, '~*', '-@all', ...commands.split(' '));
      await user('look', 'look', buildAclRules('scan', { flavor: 'redis', version: '7.0' }));
      await user('write', WRITE, buildAclRules('delete', { flavor: 'redis', version: '7.0' }));
      for (let i = 0; i < 20; i++) await client.set(`cart:${i}`, 'x'.repeat(100 + i));
      shop = await registerAndScan(stage, {
        name: 'shop',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        username: 'look',
        secrets: { password: 'look' },
        readOnly: false,
        separateWriteUser: true,
        writeUsername: 'write',
      });
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('is asked for before the first key is deleted', async ({ page, tolerate }) => {
      // The password is wrong.
      tolerate(/status of 422/);
      await page.goto(`${stage.origin}/instances/${shop.id}/keys?prefix=cart:`);
      await settled(page);
      const main = page.getByRole('main');
      await main.getByRole('checkbox', { name: 'Select cart:3', exact: true }).check();
      await main
        .getByRole('button', { name: /^Plan deletion of / })
        .last()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
      await expect(page.getByRole('heading', { level: 1, name: /^Plan: delete/ })).toBeVisible();
      await settled(page);
      await expect(main.getByLabel('Type shop to confirm')).toHaveCount(0);
      await expect(main.getByLabel('Write user', { exact: true })).toHaveValue('write');
      const password = main.getByLabel('Password of the write user');
      await password.fill('wrong');
      await password.press('Enter');
      await expect(main.getByText('The server refused the write user')).toBeVisible();
      await password.fill(WRITE);
      await password.press('Enter');

      await expect(page.getByText('The servers accept it; keys of shop can be changed')).toBeVisible();
      await main.getByLabel('Type shop to confirm').fill('shop');
      await main.getByLabel('Type shop to confirm').press('Enter');
      await expect(main.getByText('Done', { exact: true })).toBeVisible({ timeout: 60_000 });
      expect(await client.exists('cart:3')).toBe(0);
      expect(await client.dbsize()).toBe(19);
    });

    test('and withdrawn on the Server page: nothing is changed from then on', async ({ page }) => {
      await page.goto(`${stage.origin}/instances/${shop.id}/server`);
      await settled(page);
      const main = page.getByRole('main');
      await expect(main.getByText('write: password stored')).toBeVisible();
      await main.getByRole('button', { name: 'Withdraw password' }).click();
      await expect(main.getByText('write: password missing')).toBeVisible();
      const { deletions } = await stage.ask<{ deletions: { plan: { id: string } }[] }>('GET', '/api/deletions');
      await page.goto(`${stage.origin}/instances/${shop.id}/deletions/${deletions[0]?.plan.id}`);
      await settled(page);
      await expect(main.getByText('Keys of shop are changed as a separate Redis user')).toBeVisible();
      const { rows } = await stage.ask<{ rows: { action: string; outcome: string }[] }>('GET', '/api/audit-log');
      expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
        expect.arrayContaining([
          'instance.set_write_user failed',
          'instance.set_write_user done',
          'instance.withdraw_write_user done',
        ]),
      );
    });

    test('is set in the form, where its password is tried with the connection', async ({ page, tolerate }) => {
      tolerate(/status of 422/);
      await page.goto(`${stage.origin}/instances/${shop.id}/edit`);
      await settled(page);
      const main = page.getByRole('main');
      await expect(main.getByRole('switch', { name: 'Change keys as another user' })).toBeChecked();
      await main.getByLabel('Password of the write user').fill('wrong');
      await main.getByRole('button', { name: 'Test connection' }).click();
      await expect(main.getByText('The server refused the write user or this password.').first()).toBeVisible();
      await main.getByLabel('Password of the write user').fill(WRITE);
      await main.getByRole('button', { name: /^Test again/ }).click();
      await expect(main.getByText('Connected', { exact: true })).toBeVisible();
      await main.getByRole('button', { name: 'Save changes' }).click();
      await expect(page).toHaveURL(new RegExp(`/instances/${shop.id}(\\?.*)?$`));
      type Answer = { instance: { hasWritePassword: boolean; writeUsername: string } };
      const { instance } = await stage.ask<Answer>('GET', `/api/instances/${shop.id}`);
      expect(instance).toMatchObject({ hasWritePassword: true, writeUsername: 'write' });
    });
  });
