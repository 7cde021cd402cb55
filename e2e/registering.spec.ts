import type { Locator, Page } from '@playwright/test';
import { type ForwardedCluster, startForwardedCluster } from '../test/servers/forwarded-cluster';
import { freePort } from '../test/servers/process';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startReplica } from '../test/servers/replica';
import { startSentinel } from '../test/servers/sentinel';
import { expect, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { settled, still } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct password of a server';

/** Registering: what is pasted is taken, nothing goes in untested, and what a server really is, is said. */
/** The browser logs answers of the connection test that are errors. */
const REFUSED = /(422|502) \(.*\/api\/instances\/test/;

test.describe
  .serial('registering', () => {
    let stage: Stage;
    let master: RedisServer;
    let replica: RedisServer;
    let sentinel: RedisServer;
    let cluster: ForwardedCluster;
    test.beforeAll(async () => {
      test.setTimeout(240_000);
      master = await startRedis({ password: PASSWORD });
      [stage, replica, cluster] = await Promise.all([
        Stage.open(),
        startReplica(master, { args: ['--masterauth', PASSWORD] }),
        startForwardedCluster({ names: true }),
      ]);
      sentinel = await startSentinel(master, { name: 'orders', replicas: 1 });
    });
    test.afterAll(async () => {
      await sentinel.stop();
      await Promise.all([stage.close(), replica.stop(), cluster.stop()]);
      await master.stop();
    });

    const open = async (page: Page) => {
      await page.goto(`${stage.origin}/instances/new`);
      await settled(page);
      const main = page.getByRole('main');
      const field = (name: string) => main.getByLabel(name, { exact: true });
      const press = (name: string) => main.getByRole('button', { name, exact: true }).click();
      return { main, field, press };
    };
    const paste = (field: Locator, text: string) =>
      field.evaluate((input, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', pasted);
        input.focus();
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        if (input.dispatchEvent(event)) document.execCommand('insertText', false, pasted);
      }, text);
    const registered = async (page: Page) => {
      await page.waitForURL(/\/instances\/(?!new)[^/]+/);
      return /\/instances\/([^/?]+)/.exec(page.url())![1]!;
    };

    test('an address or a URL fills the form as it is pasted, typed or left standing', async ({ page, tolerate }) => {
      tolerate(REFUSED);
      const { main, field, press } = await open(page);
      await paste(field('Address or URL'), `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${master.port}/3`);
      await expect(field('Port')).toHaveValue(String(master.port));
      await expect(field('Password')).toHaveValue(PASSWORD);
      await expect(field('Databases')).toHaveValue('3');
      await expect(field('Address or URL')).toHaveValue('');

      await field('Address or URL').fill('10.0.0.5:6380');
      await field('Name').focus();
      await expect(field('Host')).toHaveValue('10.0.0.5');
      await expect(field('Port')).toHaveValue('6380');
      await field('Host').fill(`127.0.0.1:${master.port}`);
      await press('Test connection');
      await expect(main.getByText('Connected', { exact: true })).toBeVisible();
      await expect(field('Host')).toHaveValue('127.0.0.1');

      await field('Address or URL').fill('unix:/run/redis.sock');
      await press('Test again');
      await expect(main.getByText('Unix sockets are not supported', { exact: false })).toBeVisible();
      await field('Address or URL').fill('http://127.0.0.1');
      await press('Test connection');
      await expect(main.getByText('This is neither host:port', { exact: false })).toBeVisible();
      await isAccessible(page, 'the form with a wrong URL');
    });

    test('a Sentinel lists its masters, and switching to it clears the error', async ({ page, tolerate }) => {
      tolerate(REFUSED);
      const { main, field, press } = await open(page);
      await field('Address or URL').fill(`127.0.0.1:${sentinel.port}`);
      await field('Address or URL').press('Enter');
      await press('Test connection');
      await expect(main.getByText('This is a Sentinel')).toBeVisible();
      await press('Switch to Sentinel');
      await expect(main.getByText('This is a Sentinel')).toHaveCount(0);
      const masters = main.getByRole('region', { name: 'The Sentinel watches these masters' });
      await expect(masters.getByRole('listitem')).toHaveText([/orders/]);
      await still(page);
      await isAccessible(page, 'the masters of a Sentinel');
      await field('Password').fill(PASSWORD);
      await masters.getByRole('button', { name: 'Use orders' }).click();
      await expect(field('Name of the master')).toHaveValue('orders');
      await press('Confirm and test again');
      await expect(main.getByText('Connected', { exact: true })).toBeVisible();

      await paste(field('Address or URL'), `redis-sentinel://127.0.0.1:${sentinel.port}/0#else`);
      await expect(field('Name of the master')).toHaveValue('else');
    });

    test('a cluster behind forwarded ports gets the map that the test proposes', async ({ page, tolerate }) => {
      tolerate(REFUSED);
      const { main, field, press } = await open(page);
      await main.getByRole('radio', { name: /^Cluster/ }).click();
      await field('Name').fill('forwarded');
      await field('Host').fill(`127.0.0.1:${cluster.masters[0]!.port}`);
      await press('Register');
      await expect(main.getByText('Not registered yet')).toBeVisible();
      await expect(main.getByText('Are these addresses forwarded?')).toBeVisible();
      await still(page);
      await isAccessible(page, 'a proposed address map');
      expect((await stage.ask<{ instances: unknown[] }>('GET', '/api/instances')).instances).toEqual([]);
      await press('Use this map and test again');
      await expect(main.getByText('Connected', { exact: true })).toBeVisible();
      await expect(main.getByText('is not confirmed', { exact: false })).toHaveCount(0);
      await press('Register');
      const id = await registered(page);
      const { report } = await stage.ask<{ report: { nodes: { address: string; healthy: boolean }[] } }>(
        'GET',
        `/api/instances/${id}/server`,
      );
      expect(report.nodes).toEqual(
        cluster.masters.map(({ address }) => expect.objectContaining({ address, healthy: true })),
      );
      await page.goto(`${stage.origin}/instances/${id}/edit`);
      await expect(page.getByLabel('Address map', { exact: true })).toHaveValue(
        new RegExp(`node-1.invalid:\\d+ = 127.0.0.1:${cluster.masters[1]!.port}`),
      );
      await stage.ask('DELETE', `/api/instances/${id}`);
      tolerate(/404 \(Not Found\)/);
      await page.goto(`${stage.origin}/instances/${id}/tree`);
      await expect(page.getByRole('heading', { level: 1, name: 'This instance was removed' })).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: 'Fleet' })).toBeVisible();
      await isAccessible(page, 'an instance that was removed');
    });

    test('one node of a cluster is used alone, and the rest is named as missing', async ({ page, tolerate }) => {
      tolerate(REFUSED);
      const { main, field, press } = await open(page);
      await field('Name').fill('one node');
      await field('Host').fill(`127.0.0.1:${cluster.masters[1]!.port}`);
      await press('Test connection');
      await press('Use only this node');
      await press('Use this map and test again');
      await expect(main.getByText('A node of the cluster is not used')).toBeVisible();
      await press('Register');
      await stage.ask('DELETE', `/api/instances/${await registered(page)}`);
    });

    test('what cannot be reached is registered on purpose only', async ({ page, tolerate }) => {
      tolerate(/status of 502/);
      const { main, field, press } = await open(page);
      await field('Address or URL').fill(`127.0.0.1:${await freePort()}`);
      await field('Environment').fill('production');
      await main.getByRole('button', { name: 'Mark as production' }).click();
      await expect(main.getByRole('switch', { name: 'Production' })).toBeChecked();
      await press('Register');
      await expect(main.getByText('Not registered yet')).toBeVisible();
      await press('Register anyway');
      const id = await registered(page);
      const { instance } = await stage.ask<{ instance: { production: boolean } }>('GET', `/api/instances/${id}`);
      expect(instance.production).toBe(true);
      await stage.ask('DELETE', `/api/instances/${id}`);
    });

    test('a replica is named as one: in the form, on the Server page and in the fleet', async ({ page, tolerate }) => {
      tolerate(REFUSED);
      const { main, field, press } = await open(page);
      await field('Host').fill(`127.0.0.1:${replica.port}`);
      await field('Name').fill('a replica');
      await field('Password').fill(PASSWORD);
      await press('Test connection');
      await expect(main.getByText('This is a replica')).toBeVisible();
      await expect(main.getByText(`Standalone · replica of ${master.address}`)).toBeVisible();
      await press('Register');
      const id = await registered(page);
      await page.goto(`${stage.origin}/instances/${id}/server`);
      await expect(main.getByText('This is a replica')).toBeVisible();
      await page.goto(stage.origin);
      const row = main.getByRole('row').filter({ hasText: 'a replica' });
      await expect(row.getByText('replica', { exact: true })).toBeVisible();
      await stage.ask('DELETE', `/api/instances/${id}`);
    });

    test('a list is tested and registered, all are scanned, one is copied', async ({ page, tolerate }) => {
      tolerate(/status of (400|502)/);
      const { main } = await open(page);
      await main.getByRole('button', { name: 'Import a list…' }).click();
      const dialog = page.getByRole('dialog');
      const list = [
        'name,url,password,tags',
        `listed master,127.0.0.1:${master.port},${PASSWORD},eu;cache`,
        `listed replica,redis://127.0.0.1:${replica.port},${PASSWORD},eu`,
        `listed and dead,127.0.0.1:${await freePort()},,`,
        'listed and wrong,http://h,,',
      ];
      await dialog.getByLabel('or paste the list').fill('name,address\na,h');
      await dialog.getByRole('button', { name: 'Check and test' }).click();
      await expect(dialog.getByText('names its columns')).toBeVisible();
      await dialog.getByLabel('or paste the list').fill(list.join('\n'));
      await dialog.getByRole('button', { name: 'Check and test' }).click();
      await expect(dialog.getByText('4 of 4 tested · 2 reached · 2 failed')).toBeVisible();
      await judgeOpened(page, { name: 'a tested list', of: 'instances/import/instance-import-dialog' });
      await dialog.getByRole('button', { name: 'Register 2 instances' }).click();
      await expect(dialog.getByRole('link', { name: 'registered' })).toHaveCount(2);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.goto(stage.origin);
      await main.getByPlaceholder('Filter by name, tag, owner…').fill('listed');
      await main.getByRole('button', { name: 'Scan all…' }).click();
      await expect(dialog.getByRole('heading', { name: 'Scan 2 instances' })).toBeVisible();
      await judgeOpened(page, { name: 'scan all', of: 'fleet/scan-all-dialog' });
      await dialog.getByRole('button', { name: 'Scan', exact: true }).click();
      await expect(page.getByText('2 scans are queued')).toBeVisible();
      const { instances } = await stage.ask<{ instances: { id: string; name: string }[] }>('GET', '/api/instances');
      const { id } = instances.find(({ name }) => name === 'listed master')!;
      await page.goto(`${stage.origin}/instances/${id}/edit`);
      await main.getByRole('link', { name: 'Register a copy…' }).click();
      await expect(main.getByRole('heading', { level: 1, name: 'Register a copy of listed master' })).toBeVisible();
      await expect(main.getByLabel('Name', { exact: true })).toHaveValue('listed master copy');
      await expect(main.getByLabel('Tags', { exact: true })).toHaveValue('eu, cache');
      await expect(main.getByLabel('Password', { exact: true })).toHaveValue('');
    });
  });
