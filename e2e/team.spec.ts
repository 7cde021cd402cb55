import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { LONG } from '../test/long-form.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { settled } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct horse battery';
const VALUE = 'canary-7d12-in-a-cart';
const MAX_TABS = 250;

/** Moves the focus to an element with the Tab key only, as a user without a mouse does. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < MAX_TABS; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}
async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}
async function type(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target);
  await page.keyboard.type(text);
}

/** LONG=1: checks with axe again what other files check too. */
const cleanAgain = async (page: Page, what: string) => {
  if (LONG) await isAccessible(page, what);
};

async function welcome(browser: Browser, link: string, name: string | null = null): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  if (name !== null) await type(page, page.getByLabel('Name', { exact: true }), name);
  await cleanAgain(page, 'welcome');
  await type(page, page.getByLabel('New password', { exact: true }), PASSWORD);
  await type(page, page.getByLabel('Repeat the new password'), PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Account: / })).toBeVisible();
  return page;
}
const readCookie = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

/**
 * Leads from the first start to a deletion that two users approve, by keyboard alone. Axe checks what no other file
 * checks.
 */
test.describe
  .serial('a team on a production instance', () => {
    let stage: Stage;
    let redis: RedisServer;
    let mall: Scanned;
    const links: Record<string, string> = {};
    const pages: Record<string, Page> = {};
    const at = (place: string) => `${stage.origin}/instances/${mall.id}${place}`;
    const key = `/keys/${Buffer.from('cart:7').toString('base64url')}?db=0`;
    let planId = '';

    const go = async (page: Page, url: string) => {
      await page.goto(url);
      await settled(page);
    };
    /** Makes every sign-in look old. */
    const age = () => {
      const file = new Database(join(stage.folder, 'colonnade.db'));
      file.exec('update sessions set confirmed_at = 1');
      file.close();
    };
    const refused = async (who: string, method: string, path: string, body: unknown) => {
      const answer = await stage.send(method, path, body, await readCookie(pages[who]!));
      return [answer.status, (await answer.json()).error?.code];
    };

    // Every page is reached by Tab and checked with axe.
    test.describe.configure({ timeout: 300_000 });
    test.beforeAll(async () => {
      [stage, redis] = await Promise.all([Stage.open({ COLONNADE_SINGLE_USER: '' }), startRedis()]);
      const client = redis.client();
      for (let i = 0; i < 30; i++) await client.set(`cart:${i}`, VALUE);
    });
    test.afterAll(async () => {
      for (const page of Object.values(pages)) await page.context().close();
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('the one-time link of the first start makes the administrator', async ({ browser }) => {
      const link = /http:\S+\/welcome#\S+/.exec(stage.output)?.[0] ?? '';
      pages.ada = await welcome(browser, link, 'ada');
      await settled(pages.ada);
      await cleanAgain(pages.ada, 'fleet');
      stage.cookie = await readCookie(pages.ada);
    });

    test('who invites two operators and a viewer', async () => {
      const page = pages.ada!;
      await go(page, `${stage.origin}/users`);
      await cleanAgain(page, 'users');
      for (const [name, role] of [
        ['otto', 'Operator'],
        ['olga', 'Operator'],
        ['vera', 'Viewer'],
      ] as const) {
        await press(page, page.getByRole('button', { name: 'Add user' }));
        const dialog = page.getByRole('dialog');
        await type(page, dialog.getByLabel('Name', { exact: true }), name);
        await press(page, dialog.getByRole('combobox', { name: 'Role' }));
        // The list is open and reacts to keys.
        await expect(page.getByRole('option').and(page.locator(':focus'))).toHaveCount(1);
        await page.keyboard.type(role);
        await expect(page.getByRole('option', { name: role })).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(dialog.getByRole('combobox', { name: 'Role' })).toHaveText(role);
        await press(page, dialog.getByRole('button', { name: 'Create link' }));
        await expect(page.getByRole('dialog')).toContainText(`One-time link for ${name}`);
        links[name] = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
        await press(page, page.getByRole('button', { name: 'Done' }));
        await expect(page.getByRole('row', { name: new RegExp(`^${name} ${role}`) })).toContainText('Invited');
      }
      mall = await registerAndScan(stage, {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        readOnly: false,
        production: true,
        secondPerson: true,
      });
    });

    test('the viewer sees facts, no deletion and no byte of a value; the API refuses the same', async ({ browser }) => {
      const page = await welcome(browser, links.vera!);
      pages.vera = page;
      await go(page, at('/keys?prefix=cart:'));
      await expect(
        page.getByRole('main').getByRole('button', { name: /^(Plan|Set expiry|Scan|Delete)/, disabled: false }),
      ).toHaveCount(0);
      await cleanAgain(page, 'keys of a viewer');
      await go(page, at(key));
      await expect(page.getByText('Requires the role Operator').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Load preview' })).toHaveCount(0);
      expect(await page.content()).not.toContain(VALUE);
      await isAccessible(page, 'a key of a viewer');
      const plan = {
        task: 'delete',
        instanceId: mall.id,
        selection: { by: 'filter', snapshotId: mall.snapshotId, filter: { prefix: 'cart:' } },
        options: {},
      };
      const k = Buffer.from('cart:7').toString('base64url');
      for (const [method, path, body] of [
        ['POST', '/api/deletions/plans', plan],
        ['POST', '/api/deletions', { planId: 'x', confirm: 'mall', consents: [] }],
        ['POST', '/api/panic', {}],
        ['POST', `/api/instances/${mall.id}/keys/${k}/value`, { reason: 'I would like to know.' }],
        ['POST', `/api/instances/${mall.id}/scans`, { speed: 'fast' }],
      ] as const)
        expect([path, ...(await refused('vera', method, path, body))]).toEqual([path, 403, 'forbidden']);
    });

    test('an operator reads a value on production with a reason, which is on record', async ({ browser }) => {
      const page = await welcome(browser, links.otto!);
      pages.otto = page;
      const k = Buffer.from('cart:7').toString('base64url');
      const path = `/api/instances/${mall.id}/keys/${k}/value`;
      expect(await refused('otto', 'POST', path, {})).toEqual([422, 'reason_needed']);
      await go(page, at(key));
      const load = page.getByRole('button', { name: 'Load preview' });
      await expect(load).toBeDisabled();
      await cleanAgain(page, 'a key of an operator');
      await type(page, page.getByLabel('Reason'), 'Ticket 4711');
      await press(page, load);
      await expect(page.getByText(VALUE)).toBeVisible();
      await go(pages.ada!, `${stage.origin}/audit`);
      await expect(pages.ada!.getByRole('row', { name: /otto.*(Read a value|value\.preview)/ }).first()).toBeVisible();
    });

    test('plans a deletion, asks for a second person, and cannot approve', async () => {
      const page = pages.otto!;
      await go(page, at('/keys?prefix=cart:'));
      await press(page, page.getByRole('button', { name: /^Plan deletion/ }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Create plan' }));
      await expect(page.getByRole('heading', { level: 1, name: /^Plan: delete 30 keys/ })).toBeVisible();
      planId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await cleanAgain(page, 'plan');
      await type(page, page.getByLabel('Reason'), 'Carts of the old shop.');
      await press(page, page.getByRole('button', { name: 'Request approval' }));
      await expect(page.getByText('otto requested approval')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
      await isAccessible(page, 'plan that waits');
      const { plan } = await stage.ask<{ plan: { createdAt: number } }>('GET', `/api/deletions/plans/${planId}`);
      const yes = { planCreatedAt: plan.createdAt, decision: 'approve' };
      const decision = `/api/deletions/${planId}/approval/decision`;
      expect(await refused('otto', 'POST', decision, yes)).toEqual([403, 'own_approval']);
      expect(await refused('vera', 'POST', decision, yes)).toEqual([403, 'forbidden']);
      const confirm = { planId, confirm: 'mall', consents: ['production'] };
      expect(await refused('otto', 'POST', '/api/deletions', confirm)).toEqual([409, 'approval_needed']);
      expect(await redis.client().dbsize()).toBe(30);
    });

    test('the second operator approves it', async ({ browser }) => {
      const second = await welcome(browser, links.olga!);
      pages.olga = second;
      await go(second, at('/deletions'));
      await cleanAgain(second, 'deletions');
      await press(second, second.getByRole('row', { name: /Waiting for approval/ }).getByRole('link'));
      await expect(second.getByText('Carts of the old shop.')).toBeVisible();
      await cleanAgain(second, 'plan to approve');
      age();
      await press(second, second.getByRole('button', { name: 'Approve' }));
      await type(second, second.getByRole('dialog', { name: 'Password needed' }).getByLabel('Password'), PASSWORD);
      await second.keyboard.press('Enter');
      await expect(second.getByText('olga approved this plan')).toBeVisible();
    });

    test('then the first one starts it, with the password where that was long ago, and it runs', async () => {
      const page = pages.otto!;
      await go(page, at(`/deletions/${planId}`));
      await press(page, page.getByRole('checkbox', { name: /I know that this is a production instance/ }), 'Space');
      await type(page, page.getByLabel(/^Type mall/), 'mall');
      age();
      await press(page, page.getByRole('button', { name: /^Delete 30 keys/ }));
      const again = page.getByRole('dialog', { name: 'Password needed' });
      await type(page, again.getByLabel('Password'), PASSWORD);
      await page.keyboard.press('Enter');
      await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
      expect(await redis.client().dbsize()).toBe(0);
      await isAccessible(page, 'result');
    });

    test('the audit log has all four acts with the right people', async () => {
      const page = pages.ada!;
      await go(page, `${stage.origin}/audit`);
      const { rows } = await stage.ask<{ rows: { action: string; actor: string; subject: string; outcome: string }[] }>(
        'GET',
        '/api/audit-log',
      );
      const acts = rows
        .filter(({ subject, outcome }) => subject === planId && outcome !== 'refused')
        .map(({ actor, action }) => `${actor} ${action}`)
        .toReversed();
      expect(acts.slice(0, 4)).toEqual([
        'otto deletion.plan',
        'otto deletion.request_approval',
        'olga deletion.approve',
        'otto deletion.start',
      ]);
      for (const [who, act] of [
        ['otto', 'Request approval'],
        ['olga', 'Approve'],
      ])
        await expect(
          page.getByRole('row', { name: new RegExp(`${who}.*${act}|${act}.*${who}`) }).first(),
        ).toBeVisible();
      await cleanAgain(page, 'audit log');
    });
  });
