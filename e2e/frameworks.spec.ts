import { deflateSync, gzipSync } from 'node:zlib';
import type { FindingsReport } from '../lib/model/rules/findings';
import type { Exemption, Profile } from '../lib/model/rules/policy';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { hydrated, settled, still } from './settled';
import { Stage } from './stage';

const UUID = '5f2e8a1c-9b3d-4e7f-8a6b-0c1d2e3f4a';
const uuid = (i: number) => UUID + String(10 + i);
const javaString = (text: string) =>
  Buffer.concat([Buffer.from([0xac, 0xed, 0, 5, 0x74, 0, text.length]), Buffer.from(text)]);
/** `java.lang.Integer` with the value 42, as Java writes it. */
const JAVA_INTEGER = Buffer.from(
  'aced0005737200116a6176612e6c616e672e496e746567657212e2a0a4f781873802000149000576616c7565787200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b02000078700000002a',
  'hex',
);

test.describe
  .serial('keys of frameworks', () => {
    let stage: Stage;
    let redis: RedisServer;
    let shop: Scanned;
    const at = (place: string) => `${stage.origin}/instances/${shop.id}${place}`;

    test.beforeAll(async () => {
      test.setTimeout(120_000);
      [stage, redis] = await Promise.all([Stage.open(), startRedis()]);
      const keys = redis.client().pipeline();
      for (let i = 0; i < 30; i++) keys.hset(`spring:session:sessions:${uuid(i)}`, 'creationTime', JAVA_INTEGER);
      for (let i = 0; i < 40; i++) keys.set(`celery-task-meta-${uuid(i)}`, 'x', 'EX', 9000);
      keys.rpush('celery', 'x').sadd('_kombu.binding.celery', 'x').hset('unacked', 'a', 'b');
      for (let i = 0; i < 20; i++) keys.set(`laravel_cache_:users.${i}`, deflateSync('a:1:{s:2:"id";i:7;}'));
      for (let i = 0; i < 20; i++) keys.set(`:1:user_${i}`, 'x').set(`cache::user::${i}`, gzipSync('{"id":7}'));
      for (let i = 0; i < 12; i++) keys.set(javaString(`user:cache:${i}`), 'x').set(`shop:order:${i}`, 'x');
      keys.set('PHPREDIS_SESSION:e50hu9lk5rkblb7tdlm3310fk4', 'username|s:3:"ada";');
      keys
        .hset('bull:mail:1', 'a', 'b')
        .set('bull:mail:id', 1)
        .set(`shiro:session:${uuid(1)}`, 'x');
      await keys.exec();
      const endpoints = [{ host: '127.0.0.1', port: redis.port }];
      shop = await registerAndScan(stage, { name: 'shop', topology: 'standalone', endpoints });
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('are named with their counts, prefixes and documentation; the overview leads there', async ({ page }) => {
      await page.goto(at(''));
      await settled(page);
      await page.getByRole('link', { name: /frameworks chose the names of/ }).click();
      await expect(page).toHaveURL(/\/findings.*#frameworks$/);
      await settled(page);
      const card = page.getByRole('region', { name: 'Frameworks' });
      await expect(page.getByRole('heading', { name: '9 frameworks found' })).toBeVisible();
      await expect(card.getByRole('row')).toHaveCount(7);
      await page.getByRole('button', { name: 'Show all 9' }).click();
      await expect(card.getByRole('row')).toHaveCount(10);
      const celery = card.getByRole('row', { name: /^Celery/ });
      await expect(celery.getByRole('cell').nth(1)).toHaveText('43');
      await expect(celery.getByRole('link', { name: 'celery-task-meta-' })).toBeVisible();
      await expect(celery.getByRole('link', { name: 'Documentation of Celery' })).toHaveAttribute('href', /^https:/);
      await isAccessible(page, 'frameworks', { include: '#frameworks' });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await isAccessible(page, 'frameworks on a phone', { include: '#frameworks' });
    });

    test('are exempted from several rules at once, and the count before saving is the one after it', async ({
      page,
    }) => {
      await page.goto(at('/findings'));
      await settled(page);
      await page.getByRole('button', { name: 'Exempt the keys of Celery' }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByLabel('Prefixes or patterns')).toHaveValue(
        /^celery-task-meta-\n_kombu\.binding\.\ncelery\nunacked$/,
      );
      await expect(dialog.getByText('Exactly these names: celery, unacked.')).toBeVisible();
      await expect(dialog.getByRole('checkbox', { name: /^N8 / })).toBeChecked();
      await expect(dialog.getByRole('checkbox', { name: /^T1 / })).not.toBeChecked();
      await dialog.getByRole('checkbox', { name: /^T1 / }).check();
      const effect = dialog.getByRole('status').filter({ hasText: /Saving takes [\d,]+ findings/ });
      const taken = Number((await effect.textContent())!.replaceAll(',', '').match(/Saving takes (\d+) findings/)![1]);
      expect(taken).toBeGreaterThan(100);
      await still(page);
      await isAccessible(page, 'exemption of a framework', { include: '[role="dialog"]', without: ['region'] });
      await expect(dialog.getByLabel('Reason')).toHaveValue('The names are chosen by Celery and cannot be changed.');
      await dialog.getByLabel('Owner').fill('Ada');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toBeHidden();
      const { exemptions } = await stage.ask<{ exemptions: Exemption[] }>(
        'GET',
        `/api/exemptions?instanceId=${shop.id}`,
      );
      expect(exemptions).toMatchObject([
        { prefixes: ['celery-task-meta-', '_kombu.binding.'], patterns: ['celery', 'unacked'] },
      ]);
      const rules = exemptions[0]!.rules as string[];
      expect(rules.length).toBeGreaterThan(4);
      const { report } = await stage.ask<{ report: FindingsReport }>(
        'GET',
        `/api/snapshots/${shop.snapshotId}/reports/findings`,
      );
      expect(report.rules.reduce((sum, { exemptKeys }) => sum + exemptKeys, 0)).toBe(taken);
      await page.goto(at('/policy'));
      await settled(page);
      const row = page.getByRole('region', { name: 'Exemptions' }).getByRole('row').nth(1);
      for (const text of ['N8', 'T1', 'celery-task-meta-', 'unacked', 'exactly']) await expect(row).toContainText(text);
      // Editing it shows what is exempted already, and changes nothing by itself.
      await row.getByRole('button', { name: /^Edit the exemption/ }).click();
      await expect(page.getByRole('dialog')).toContainText(`${taken} are exempted already`);
      await expect(page.getByRole('dialog')).toContainText('Saving takes no finding out of the count.');
    });

    test('that Java has serialised show their text, and their bytes on the page of the key', async ({ page }) => {
      await page.goto(at('/tree'));
      await settled(page);
      await expect(page.getByRole('table').getByText('\\java\\user').first()).toBeVisible();
      await page.goto(at(`/keys/${javaString('user:cache:7').toString('base64url')}?db=0`));
      await settled(page);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('\\java\\user:cache:7');
      await expect(page.getByText(/the beginning that Java gives to strings/)).toBeVisible();
      await expect(page.getByText('ac ed 00 05 74 00 0c 75 73 65 72 3a')).toBeVisible();
    });

    test('have values of PHP, Java and compressed ones that can be read', async ({ page }) => {
      const read = async (name: string) => {
        await page.goto(at(`/keys/${Buffer.from(name).toString('base64url')}?db=0`));
        await settled(page);
        await page.getByRole('button', { name: 'Load preview' }).click();
        return page.getByRole('region', { name: 'Value' }).or(page.getByRole('main'));
      };
      await expect((await read('PHPREDIS_SESSION:e50hu9lk5rkblb7tdlm3310fk4')).locator('pre')).toHaveText(
        'username: "ada"',
      );
      await expect((await read('laravel_cache_:users.3')).locator('pre')).toHaveText('[\n  "id" => 7\n]');
      await expect((await read('cache::user::3')).locator('pre')).toHaveText('{\n  "id": 7\n}');
      const session = await read(`spring:session:sessions:${uuid(1)}`);
      await expect(session.locator('pre')).toHaveText('java.lang.Integer {\n  value: 42\n}');
      await page.getByRole('radio', { name: 'Hex' }).click();
      await expect(session.locator('pre')).toContainText('ac ed 00 05');
    });

    test('with a delimiter of two signs have a tree, rules and filters', async ({ page }) => {
      const preset = await stage.ask<{ profile: Profile }>('GET', '/api/profiles/default');
      const body = { ...preset.profile.body, name: 'Double colon', delimiter: '::' };
      const { profile } = await stage.ask<{ profile: Profile }>('POST', '/api/profiles', { body });
      await stage.ask('PUT', `/api/instances/${shop.id}/policy`, { profileId: profile.id, prefixes: [] });
      await page.goto(at('/tree'));
      await expect(page).toHaveURL(/[?&]delimiter=(%3A%3A|::)/);
      await settled(page);
      const table = page.getByRole('table').first();
      await expect(table.getByText('cache', { exact: true })).toBeVisible();
      await expect(table.getByText('::').first()).toBeVisible();
      await page.goto(at('/tree?delimiter=%3A%3A&template=cache%3A%3Auser%3A%3A'));
      await settled(page);
      await expect(page.getByRole('navigation', { name: 'Path' }).getByText('user')).toBeVisible();
      await page.goto(at('/keys?delimiter=%3A%3A&template=cache%3A%3Auser%3A%3A'));
      await settled(page);
      await expect(page.getByText('cache::user::7').first()).toBeVisible();
      // Another delimiter stays chosen, also after the page is opened again.
      await page.goto(at('/tree'));
      await settled(page);
      await page.getByRole('combobox', { name: 'Delimiter' }).click();
      await page.getByRole('option', { name: ':', exact: true }).click();
      await expect(page).toHaveURL(/[?&]delimiter=(%3A|:)(&|$)/);
      await page.reload();
      await hydrated(page);
      await settled(page);
      await expect(page.getByRole('combobox', { name: 'Delimiter' })).toHaveText(':');
      await page.goto(at('/findings'));
      await settled(page);
      await expect(page.getByRole('heading', { name: /rules violated/ })).toBeVisible();
    });
  });
