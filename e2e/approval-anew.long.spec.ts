import type { Page } from '@playwright/test';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { startTcpProxy, type TcpProxy } from '../test/servers/tcp-proxy';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { shopTeam } from './people';
import { settled } from './settled';
import { Stage } from './stage';

/** Enough keys that the deletion, slowed down, is still running when somebody presses Pause. */
const KEYS = 800;

test.describe
  .serial('a second person, for a deletion that was begun', () => {
    let stage: Stage;
    let first: RedisServer;
    let other: RedisServer;
    let proxy: TcpProxy;
    let mall: Scanned;
    let pages: Record<string, Page> = {};
    let at = '';

    test.beforeAll(async ({ browser }) => {
      [stage, first, other] = await Promise.all([
        Stage.open({ COLONNADE_SINGLE_USER: '' }),
        startRedis(),
        startRedis(),
      ]);
      for (const client of [first.client(), other.client()])
        for (let i = 0; i < KEYS; i++) await client.set(`cart:${i}`, 'x'.repeat(i));
      proxy = await startTcpProxy(first.port);
      pages = await shopTeam(browser, stage, ['otto', 'olga']);
      mall = await registerAndScan(stage, {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: proxy.port }],
        tags: ['shop'],
        readOnly: false,
        production: true,
        secondPerson: true,
      });
    });
    test.afterAll(async () => {
      for (const page of Object.values(pages)) await page.context().close();
      await Promise.all([stage.close(), proxy.close(), first.stop(), other.stop()]);
    });

    test('it is approved, begun, and waits when another server answers', async () => {
      const page = pages.otto!;
      await page.goto(`${stage.origin}/instances/${mall.id}/keys?prefix=cart:`);
      await settled(page);
      await page.getByRole('button', { name: /^Plan deletion/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
      await expect(page.getByRole('heading', { level: 1, name: `Plan: delete ${KEYS} keys` })).toBeVisible();
      at = page.url();
      await page.getByLabel('Reason').fill('Carts of the old shop.');
      await page.getByRole('button', { name: 'Request approval' }).click();
      await expect(page.getByText('Waiting for approval')).toBeVisible();
      await pages.olga!.goto(at);
      await settled(pages.olga!);
      await pages.olga!.getByRole('button', { name: 'Approve' }).click();
      await expect(pages.olga!.getByText('olga approved this plan')).toBeVisible();

      await page.reload();
      await settled(page);
      // The server is slowed down, so that the deletion can be paused in the middle.
      proxy.spoil({ kind: 'late', ms: 100 });
      await page.getByText('I know that this is a production instance.').click();
      await page.getByLabel(/^Type mall/).fill('mall');
      await page.getByRole('button', { name: `Delete ${KEYS} keys` }).click();
      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
      expect(await first.client().dbsize()).toBeGreaterThan(0);
      await stage.ask('PATCH', `/api/instances/${mall.id}`, { endpoints: [{ host: '127.0.0.1', port: other.port }] });
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(page.getByText('A different server answers', { exact: true })).toBeVisible();
      // Only an administrator may accept the server, and the page says so.
      await expect(page.getByRole('button', { name: 'Compare servers' })).toHaveCount(0);
      await expect(page.getByText(/role Administrator/)).toBeVisible();
    });

    test('once the server is accepted, somebody who has neither planned nor accepted approves', async () => {
      const ada = pages.ada!;
      await ada.goto(at);
      await settled(ada);
      await ada.getByRole('button', { name: 'Compare servers' }).click();
      const dialog = ada.getByRole('dialog', { name: 'Is this the right server?' });
      await judgeOpened(ada, { name: 'comparing servers', of: 'deletions/server-dialog' });
      await dialog.getByLabel('Type mall to accept').fill('mall');
      await dialog.getByRole('button', { name: 'Accept this server' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(ada.getByText(/^ada accepted another server for this deletion/)).toBeVisible();
      await ada.getByLabel('Reason').fill('Moved to the new machine last night.');
      await ada.getByRole('button', { name: 'Request approval' }).click();
      await expect(ada.getByText('ada requested approval')).toBeVisible();
      for (const name of ['ada', 'otto']) {
        await pages[name]!.goto(at);
        await settled(pages[name]!);
        await expect(pages[name]!.getByText(/^You planned this, accepted its server/)).toBeVisible();
        await expect(pages[name]!.getByRole('button', { name: 'Approve' })).toHaveCount(0);
      }
      expect(await other.client().dbsize()).toBe(KEYS);

      const olga = pages.olga!;
      await olga.goto(at);
      await settled(olga);
      await expect(olga.getByText(/^ada accepted another server for this deletion/)).toContainText(String(other.port));
      await expect(olga.getByText('Moved to the new machine last night.')).toBeVisible();
      await isAccessible(olga, 'a plan to approve anew');
      await olga.getByRole('button', { name: 'Approve' }).click();
      await expect(olga.getByText('olga approved this plan')).toBeVisible();
      expect(await other.client().dbsize()).toBe(KEYS);
    });

    test('then it goes on, and the audit log names who did what', async () => {
      const page = pages.otto!;
      await page.goto(at);
      await settled(page);
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect.poll(() => other.client().dbsize(), { timeout: 60_000 }).toBeLessThan(KEYS);
      await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
      const admin = pages.ada!;
      await admin.goto(`${stage.origin}/audit`);
      await settled(admin);
      for (const [who, act] of [
        ['olga', 'Approve'],
        ['ada', 'Accept'],
        ['ada', 'Request approval'],
        ['otto', 'Start deletion'],
      ])
        await expect(
          admin.getByRole('row', { name: new RegExp(`${who}.*${act}|${act}.*${who}`) }).first(),
        ).toBeVisible();
    });
  });
