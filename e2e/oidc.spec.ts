import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { IdentityProvider } from '../test/servers/identity-provider';
import { temporaryFolder } from '../test/servers/process';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { hydrated, settled, still } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct horse battery';
const blank = async (browser: Browser, locale = 'en-GB') =>
  (await browser.newContext({ locale, viewport: { width: 1280, height: 900 } })).newPage();

test.describe
  .serial('signing in with an identity provider', () => {
    let stage: Stage;
    let idp: IdentityProvider;
    let partner: IdentityProvider;
    let redis: RedisServer;
    let ada: Page;
    const atProvider = async (page: Page, login: string) => {
      await page.getByLabel('Login').fill(login);
      await page.keyboard.press('Enter');
    };

    test.beforeAll(async ({ browser }) => {
      redis = await startRedis();
      const folder = temporaryFolder('colonnade-oidc-');
      stage = await Stage.open(async (origin) => {
        idp = await IdentityProvider.start({ origin });
        const corp = {
          id: 'corp',
          label: 'Corp',
          issuer: idp.issuer,
          clientId: 'colonnade',
          scopes: ['profile', 'groups'],
        };
        const groups = [{ group: 'dba', role: 'admin' }];
        partner = await IdentityProvider.start({ origin, id: 'partner' });
        const other = { ...corp, id: 'partner', label: 'Partner', issuer: partner.issuer };
        const providers = [
          { ...corp, groups },
          { ...other, groups: [{ group: 'dba', role: 'viewer' }] },
        ];
        const file = join(folder, 'oidc.json');
        writeFileSync(file, JSON.stringify({ providers }));
        return {
          ...{ COLONNADE_SINGLE_USER: '', COLONNADE_ORIGIN: origin, COLONNADE_OIDC: file },
          COLONNADE_OIDC_SECRET_CORP: idp.clientSecret,
          COLONNADE_OIDC_SECRET_PARTNER: partner.clientSecret,
        };
      });
      for (const one of [idp, partner]) one.people.set('s-ada', { name: 'ada', groups: ['dba'] });
      idp.people.set('s-eve', { name: 'eve', groups: [] });
      // A local administrator, as every installation has one.
      const page = await blank(browser);
      await page.goto(/http:\S+\/welcome#\S+/.exec(stage.output)?.[0] ?? '');
      await page.getByLabel('Name', { exact: true }).fill('root');
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Repeat the new password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await expect(page.getByRole('button', { name: 'Account: root' })).toBeVisible();
      await page.context().close();
    });
    test.afterAll(async () => {
      await ada?.context().close();
      await Promise.all([stage.close(), idp.stop(), partner.stop(), redis.stop()]);
    });

    test('leads to the provider and back to the page that was asked for', async ({ browser }) => {
      ada = await blank(browser);
      await ada.goto(`${stage.origin}/jobs`);
      await settled(ada);
      await isAccessible(ada, 'signing in with providers');
      await ada.getByRole('button', { name: 'Sign in with Corp' }).focus();
      await ada.keyboard.press('Enter');
      await atProvider(ada, 's-ada');
      await expect(ada.getByRole('button', { name: 'Account: ada' })).toBeVisible();
      expect(new URL(ada.url()).pathname).toBe('/jobs');
      await ada.goto(`${stage.origin}/users`);
      await expect(ada.getByRole('row', { name: /ada.*corp.*Administrator.*Active/ })).toBeVisible();
      await ada.goto(`${stage.origin}/account`);
      await expect(ada.getByText('You sign in with corp')).toBeVisible();
      await expect(ada.getByLabel('Current password')).toHaveCount(0);
    });

    test('whoever may not come in is told so, in both languages', async ({ browser }) => {
      for (const [locale, button, sentence] of [
        ['en-GB', 'Sign in with Corp', 'You may not use Colonnade'],
        ['zh-CN', '使用 Corp 登录', '您无权使用 Colonnade'],
      ] as const) {
        const page = await blank(browser, locale);
        await page.goto(`${stage.origin}/sign-in`);
        await hydrated(page);
        await page.getByRole('button', { name: button }).click();
        await atProvider(page, 's-eve');
        await expect(page.getByText(sentence)).toBeVisible();
        await expect(page.locator('input[name="password"]')).toBeVisible();
        await page.context().close();
      }
    });

    test('an act on production asks the provider again, and goes on by itself', async () => {
      const cookies = await ada.context().cookies(stage.origin);
      stage.cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const { instance } = await stage.ask<{ instance: { id: string } }>('POST', '/api/instances', {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        production: true,
      });
      const file = new Database(join(stage.folder, 'colonnade.db'));
      file.exec('update sessions set confirmed_at = 1');
      file.close();
      await ada.goto(`${stage.origin}/instances/${instance.id}/edit`);
      await settled(ada);
      await ada.getByLabel('Name', { exact: true }).fill('mall-2');
      await ada.getByRole('button', { name: 'Save changes' }).click();
      const dialog = ada.getByRole('dialog', { name: 'Sign-in needed again' });
      await expect(dialog).toBeVisible();
      await still(ada);
      await judgeOpened(ada, { name: 'signing in again', of: 'layout/fresh-sign-in/provider-sign-in-dialog' });
      const [popup] = await Promise.all([
        ada.waitForEvent('popup'),
        dialog.getByRole('button', { name: 'Sign in at Corp' }).click(),
      ]);
      await expect(dialog.getByText('Waiting for Corp')).toBeVisible();
      await atProvider(popup, 's-ada');
      await expect(dialog).toHaveCount(0);
      await expect.poll(() => popup.isClosed()).toBe(true);
      await expect
        .poll(
          async () =>
            (await stage.ask<{ instance: { name: string } }>('GET', `/api/instances/${instance.id}`)).instance.name,
        )
        .toBe('mall-2');
    });

    test('signing out signs out there too, and comes back', async () => {
      await ada.getByRole('button', { name: 'Account: ada' }).click();
      await ada.getByRole('menuitem', { name: 'Sign out' }).click();
      await ada.getByRole('button', { name: /yes/i }).click();
      await expect(ada.getByRole('button', { name: 'Sign in with Corp' })).toBeVisible();
      expect(new URL(ada.url()).pathname).toBe('/sign-in');
      await hydrated(ada);
      await ada.getByRole('button', { name: 'Sign in with Corp' }).click();
      await expect(ada.getByLabel('Login')).toBeVisible();
    });

    test('with a provider that is down the page says so; those of another and the local administrator come in', async ({
      browser,
    }) => {
      await idp.stop();
      // The discovery document is cached for a while; a server that has just started has no cache.
      await stage.end('SIGTERM');
      await stage.start();
      const page = await blank(browser);
      await page.goto(`${stage.origin}/sign-in`);
      await hydrated(page);
      await page.getByRole('button', { name: 'Sign in with Corp' }).click();
      await expect(page.getByText('The identity provider cannot be reached · Corp')).toBeVisible();
      const other = await blank(browser);
      await other.goto(`${stage.origin}/sign-in?next=/jobs`);
      await expect(other.getByRole('button', { name: /^Sign in with / })).toHaveText([/Corp/, /Partner/]);
      await hydrated(other);
      await other.getByRole('button', { name: 'Sign in with Partner' }).click();
      // The same subject at another provider is another user, with the rights of that provider's groups.
      await atProvider(other, 's-ada');
      await expect(other.getByRole('button', { name: 'Account: ada@partner' })).toBeVisible();
      expect(new URL(other.url()).pathname).toBe('/jobs');
      await other.context().close();
      await page.getByLabel('Name', { exact: true }).fill('root');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Account: root' })).toBeVisible();
      await page.context().close();
    });
  });
