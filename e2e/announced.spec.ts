import type { Page } from '@playwright/test';
import type { Redis } from 'ioredis';
import { LONG } from '../test/long-form.mjs';
import { type RedisCluster, startCluster } from '../test/servers/cluster';
import type { RedisServer } from '../test/servers/redis';
import { expect, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { settled, still } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct cluster password';
const WORDS = {
  en: {
    name: 'Name',
    cluster: /^Cluster/,
    host: 'Host',
    port: 'Port',
    password: 'Password',
    test: 'Test connection',
    nodes: 'Nodes',
    badge: 'not confirmed',
    healthy: 'healthy',
    waits: (count: number) => (count === 1 ? '1 address is not confirmed' : `${count} addresses are not confirmed`),
    nobody: 'Colonnade does not connect there, so neither password nor command goes to them.',
    confirmTest: 'Confirm and test again',
    register: 'Register',
    confirmed: 'Confirmed',
    by: 'Local administrator',
    withdraw: 'Withdraw',
    withdrawn: 'is no longer connected to',
    confirm: 'Confirm',
    done: 'Address confirmed',
  },
  'zh-CN': {
    name: '名称',
    cluster: /^集群/,
    host: '主机',
    port: '端口',
    password: '密码',
    test: '测试连接',
    nodes: '节点',
    badge: '尚未确认',
    healthy: '正常',
    waits: (count: number) => `${count} 个地址尚未确认`,
    nobody: 'Colonnade 不会连接它们，也不会向其发送密码或命令。',
    confirmTest: '确认并重新测试',
    register: '注册',
    confirmed: '已确认',
    by: '本机管理员',
    withdraw: '撤回',
    withdrawn: '不再连接',
    confirm: '确认',
    done: '已确认 1 个地址',
  },
} as const;

/** Returns how many connections the server got, without those of the cluster bus. */
async function knocks(client: Redis): Promise<number> {
  const info = await client.info('stats');
  return Number(/total_connections_received:(\d+)/.exec(info)?.[1]);
}
async function axe(page: Page, what: string): Promise<void> {
  // While a notice fades in, its colours differ from the final ones.
  await still(page);
  await isAccessible(page, what);
}

/** A cluster announces nodes that nobody has named: what a user sees, confirms and takes back. */
test.describe
  .serial('addresses that a cluster announces', () => {
    let stage: Stage;
    let cluster: RedisCluster;
    test.beforeAll(async () => {
      test.setTimeout(240_000);
      [stage, cluster] = await Promise.all([Stage.open(), startCluster({ wishes: { password: PASSWORD } })]);
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), cluster.stop()]);
    });

    for (const locale of LONG ? (['en', 'zh-CN'] as const) : (['en'] as const))
      test(`are confirmed in the form, and withdrawn on the Server page, ${locale}`, async ({ page }) => {
        test.setTimeout(360_000);
        const t = WORDS[locale];
        await page.context().addCookies([{ name: 'locale', value: locale, url: stage.origin }]);
        const [seed, ...others] = cluster.masters as [RedisServer, ...RedisServer[]];
        const clients = others.map((other) => other.client());
        const before = await Promise.all(clients.map(knocks));

        await page.goto(`${stage.origin}/instances/new`);
        await settled(page);
        const main = page.getByRole('main');
        await main.getByRole('radio', { name: t.cluster }).click();
        await main.getByLabel(t.name, { exact: true }).fill(`social ${locale}`);
        await main.getByLabel(t.host, { exact: true }).fill('127.0.0.1');
        await main.getByLabel(t.port, { exact: true }).fill(String(seed.port));
        await main.getByLabel(t.password, { exact: true }).fill(PASSWORD);
        await main.getByRole('button', { name: t.test }).click();
        const nodes = main.getByRole('region', { name: t.nodes, exact: true });
        await expect(nodes.getByText(t.badge, { exact: true }).filter({ visible: true })).toHaveCount(2);
        await expect(main.getByText(t.waits(2))).toBeVisible();
        await expect(main.getByText(t.nobody)).toBeVisible();
        for (const { address } of others)
          await expect(main.getByRole('listitem').filter({ hasText: address }).first()).toBeVisible();
        await axe(page, 'the form with addresses that wait');
        expect(await Promise.all(clients.map(knocks))).toEqual(before);

        await main.getByRole('button', { name: t.confirmTest }).click();
        await expect(main.getByText(t.waits(2))).toHaveCount(0);
        await expect(nodes).toBeVisible();
        await expect(nodes.getByText(t.badge, { exact: true }).filter({ visible: true })).toHaveCount(0);
        await axe(page, 'the form with confirmed addresses');
        for (const [at, count] of (await Promise.all(clients.map(knocks))).entries())
          expect(count).toBeGreaterThan(before[at]!);

        await main.getByRole('button', { name: t.register, exact: true }).click();
        await page.waitForURL(/\/instances\/(?!new)[^/]+/);
        const [, id] = /\/instances\/([^/?]+)/.exec(page.url())!;
        await page.goto(`${stage.origin}/instances/${id}/server`);
        await settled(page);
        const list = main.getByRole('list', { name: t.confirmed, exact: true });
        await expect(list.getByRole('listitem')).toHaveCount(2);
        await expect(list.getByRole('listitem').first()).toContainText(t.by);
        await expect(nodes.getByText(t.healthy, { exact: true }).filter({ visible: true })).toHaveCount(3);
        await axe(page, 'the Server page');

        const { address } = others[0]!;
        await list.getByRole('button', { name: `${t.withdraw} ${address}` }).click();
        await expect(page.getByText(t.withdrawn).first()).toBeVisible();
        await expect(nodes.getByText(t.badge, { exact: true }).filter({ visible: true })).toHaveCount(1);
        await expect(nodes.getByRole('row').filter({ hasText: address })).toContainText(t.badge);
        await expect(main.getByText(t.waits(1))).toBeVisible();
        await expect(list.getByRole('listitem')).toHaveCount(1);
        await axe(page, 'the Server page with an address that was withdrawn');
        const left = await knocks(clients[0]!);
        await page.reload();
        await settled(page);
        await expect(nodes.getByText(t.badge, { exact: true }).filter({ visible: true })).toHaveCount(1);
        expect(await knocks(clients[0]!)).toBe(left);

        await main.getByRole('button', { name: `${t.confirm} ${address}` }).click();
        await expect(page.getByText(t.done).first()).toBeVisible();
        await expect(nodes.getByText(t.badge, { exact: true }).filter({ visible: true })).toHaveCount(0);
        await expect(list.getByRole('listitem')).toHaveCount(2);
        await stage.ask('DELETE', `/api/instances/${id}`);
      });
  });
