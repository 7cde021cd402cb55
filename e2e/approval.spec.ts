import { join } from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { PASSWORD, readCookie, shopTeam } from './people';
import { settled } from './settled';
import { Stage } from './stage';

test.describe
  .serial('a second person, on production', () => {
    let stage: Stage;
    let redis: RedisServer;
    let mall: Scanned;
    let pages: Record<string, Page> = {};
    const plan = (id: string) => `${stage.origin}/instances/${mall.id}/deletions/${id}`;
    let planId = '';
    /** Makes every sign-in look an hour old. */
    const age = () => {
      const file = new Database(join(stage.folder, 'colonnade.db'));
      file.exec('update sessions set confirmed_at = 1');
      file.close();
    };

    test.beforeAll(async ({ browser }) => {
      [stage, redis] = await Promise.all([Stage.open({ COLONNADE_SINGLE_USER: '' }), startRedis()]);
      const client = redis.client();
      for (let i = 0; i < 40; i++) await client.set(`cart:${i}`, 'x'.repeat(i));
      pages = await shopTeam(browser, stage, ['otto', 'olga']);
      mall = await registerAndScan(stage, {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        tags: ['shop'],
        readOnly: false,
        production: true,
        secondPerson: true,
      });
    });
    test.afterAll(async () => {
      for (const page of Object.values(pages)) await page.context().close();
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('the plan cannot be confirmed, and whoever made it cannot approve it', async () => {
      const page = pages.otto!;
      await page.goto(`${stage.origin}/instances/${mall.id}/keys?prefix=cart:`);
      await settled(page);
      await page.getByRole('button', { name: /^Plan deletion/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
      await expect(page.getByRole('heading', { level: 1, name: /^Plan: delete 40 keys/ })).toBeVisible();
      planId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await expect(page.getByText('This instance requires a second person:')).toBeVisible();
      await expect(page.getByLabel(/^Type mall/)).toHaveCount(0);
      await page.getByLabel('Reason').fill('Carts of the old shop.\nAgreed with the shop team.');
      await page.getByRole('button', { name: 'Request approval' }).click();
      await expect(page.getByText('otto requested approval')).toBeVisible();
      await expect(page.getByText('Waiting for approval')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
      await expect(page.getByText('another person with the role Operator')).toBeVisible();
      const { createdAt } = (await stage.ask<{ plan: { createdAt: number } }>('GET', `/api/deletions/plans/${planId}`))
        .plan;
      const yes = { planCreatedAt: createdAt, decision: 'approve' };
      const at = `/api/deletions/${planId}/approval/decision`;
      const own = await stage.send('POST', at, yes, await readCookie(page));
      expect([own.status, (await own.json()).error.code]).toEqual([403, 'own_approval']);
      const confirm = { planId, confirm: 'mall', consents: ['production'] };
      const early = await stage.send('POST', '/api/deletions', confirm, await readCookie(page));
      expect([early.status, (await early.json()).error.code]).toEqual([409, 'approval_needed']);
    });

    test('the second one is asked for the password, approves, and is not asked twice', async () => {
      age();
      const page = pages.olga!;
      await page.goto(`${stage.origin}/instances/${mall.id}/deletions`);
      await settled(page);
      await page
        .getByRole('row', { name: /Waiting for approval/ })
        .getByRole('link')
        .click();
      await settled(page);
      await expect(page.getByText('Agreed with the shop team.')).toBeVisible();
      await isAccessible(page, 'a plan to approve');
      await page.getByLabel('Note').fill('Looked at ten of them.');
      await page.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog', { name: 'Password needed' });
      await expect(dialog.getByLabel('Password')).toBeFocused();
      await dialog.getByLabel('Password').fill('not the password');
      await page.keyboard.press('Enter');
      await expect(dialog.getByText('The password is wrong.')).toBeVisible();
      await expect(page.getByText('olga approved')).toHaveCount(0);
      await isAccessible(page, 'a wrong password');
      await dialog.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(page.getByText('olga approved this plan')).toBeVisible();
      await expect(dialog).toHaveCount(0);
      await page.goto(plan(planId));
      await expect(page.getByText('Looked at ten of them.')).toBeVisible();
    });

    test('then it is confirmed with the password, runs, and the audit log names both', async () => {
      const page = pages.otto!;
      await page.goto(plan(planId));
      await settled(page);
      await page.getByText('I know that this is a production instance.').click();
      await page.getByLabel(/^Type mall/).fill('mall');
      await page.getByRole('button', { name: /^Delete 40 keys/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Password needed' });
      // If the dialog is closed without a password, nothing has happened, and the page says why.
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByText('Password needed again')).toBeVisible();
      expect(await redis.client().dbsize()).toBe(40);
      await page.getByRole('button', { name: /^Delete 40 keys/ }).click();
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
      expect(await redis.client().dbsize()).toBe(0);

      const admin = pages.ada!;
      await admin.goto(`${stage.origin}/audit`);
      await settled(admin);
      for (const [who, act] of [
        ['otto', 'Plan deletion'],
        ['otto', 'Request approval'],
        ['olga', 'Approve'],
        ['otto', 'Start deletion'],
      ])
        await expect(
          admin.getByRole('row', { name: new RegExp(`${who}.*${act}|${act}.*${who}`) }).first(),
        ).toBeVisible();
    });

    test('one that was paused asks for the password before it goes on', async () => {
      const { deletion } = await stage.ask<{ deletion: { job: { id: string } } }>('GET', `/api/deletions/${planId}`);
      const file = new Database(join(stage.folder, 'colonnade.db'));
      const paused = "update jobs set state = 'paused', ended_at = null where id = ?";
      file.prepare(paused).run(deletion.job.id);
      file.close();
      age();
      const page = pages.otto!;
      await page.goto(`${stage.origin}/jobs/${deletion.job.id}`);
      await settled(page);
      const dialog = page.getByRole('dialog', { name: 'Password needed' });
      await page.getByRole('button', { name: 'Resume' }).click();
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByText('Password needed again')).toBeVisible();
      await page.getByRole('button', { name: 'Resume' }).click();
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByRole('button', { name: 'Resume' })).toHaveCount(0, { timeout: 60_000 });
      await expect
        .poll(
          async () => (await stage.ask<{ job: { state: string } }>('GET', `/api/jobs/${deletion.job.id}`)).job.state,
        )
        .toBe('succeeded');
    });
  });
