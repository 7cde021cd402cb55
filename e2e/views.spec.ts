import type { Page } from '@playwright/test';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { readCookie, shopTeam } from './people';
import { settled, still } from './settled';
import { Stage } from './stage';

const OPENED = '[role="menu"], [role="dialog"]';

test.describe
  .serial('a saved view', () => {
    let stage: Stage;
    let redis: RedisServer;
    let mall: Scanned;
    let pages: Record<string, Page> = {};
    let link = '';
    const at = (place: string) => `${stage.origin}/instances/${mall.id}${place}`;

    test.beforeAll(async ({ browser }) => {
      test.setTimeout(120_000);
      [stage, redis] = await Promise.all([Stage.open({ COLONNADE_SINGLE_USER: '' }), startRedis()]);
      const client = redis.client();
      for (let i = 0; i < 40; i++) await client.set(`cart:${i % 4}:${i}`, 'x'.repeat(i));
      pages = await shopTeam(browser, stage, ['otto', 'olga']);
      const endpoints = [{ host: '127.0.0.1', port: redis.port }];
      mall = await registerAndScan(stage, { name: 'mall', topology: 'standalone', endpoints, tags: ['shop'] });
      await pages.otto?.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.origin });
    });
    test.afterAll(async () => {
      for (const page of Object.values(pages)) await page.context().close();
      await Promise.all([stage.close(), redis.stop()]);
    });

    const openMenu = async (page: Page) => {
      await page.getByRole('button', { name: 'Saved views' }).click();
      await expect(page.getByRole('menuitem', { name: 'Save this view…' })).toBeVisible();
    };
    const manage = async (page: Page) => {
      await openMenu(page);
      await page.getByRole('menuitem', { name: 'Manage views…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Saved views of this instance' });
      await expect(dialog.getByText('Carts')).toBeVisible();
      return dialog;
    };
    /** Checks that the page shows the tree of carts, sorted by name, without the column of bigkeys. */
    const showsCarts = async (page: Page) => {
      await expect(page).toHaveURL(/\/tree\?(?=.*prefix=cart(:|%3A))(?=.*sort=name)(?=.*snapshot=latest)/);
      await settled(page);
      await expect(page.getByRole('columnheader', { name: 'Keys', exact: true })).toBeVisible();
      await expect(page.getByRole('columnheader', { name: 'Bigkeys', exact: true })).toHaveCount(0);
    };
    const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

    test('keeps page, filter, order and columns under a name, also after a reload', async () => {
      const page = pages.otto!;
      await page.goto(at('/tree?prefix=cart%3A&sort=name'));
      await settled(page);
      await page.getByRole('button', { name: 'Choose columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Bigkeys' }).click();
      await page.keyboard.press('Escape');
      await openMenu(page);
      await still(page);
      await isAccessible(page, 'menu of views', { include: OPENED, without: ['region'] });
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Save view' });
      await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
      await still(page);
      await isAccessible(page, 'saving a view', { include: OPENED, without: ['region'] });
      await dialog.getByLabel('Name').fill('Carts');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog).toHaveCount(0);

      // Other columns and another page, as on another day.
      await page.evaluate(() => localStorage.clear());
      await page.goto(at(''));
      await page.reload();
      await settled(page);
      await openMenu(page);
      await page.getByRole('menuitem', { name: 'Carts' }).click();
      await showsCarts(page);
    });

    test('is personal: its link says so, and opens for nobody else', async () => {
      const page = pages.otto!;
      const dialog = await manage(page);
      await expect(dialog.getByText('only you · by otto')).toBeVisible();
      await still(page);
      await isAccessible(page, 'managing views', { include: OPENED, without: ['region'] });
      await dialog.getByRole('button', { name: 'Copy link (only you can open it): Carts' }).click();
      await expect(page.getByText('Link copied. Only you can open it until the view is shared.')).toBeVisible();
      link = await copied(page);
      expect(link).toMatch(new RegExp(`^${at('/views/')}[\\w-]+$`));
      const id = link.split('/').at(-1);
      for (const name of ['olga', 'ada']) {
        const other = pages[name]!;
        const answer = await stage.send('GET', `/api/views/${id}`, undefined, await readCookie(other));
        expect([name, answer.status]).toEqual([name, 404]);
        await other.goto(link);
        await expect(other.getByRole('main').getByRole('alert')).toBeVisible();
        await expect(other.getByText('Carts')).toHaveCount(0);
        await other.goto(at(''));
        await settled(other);
        await openMenu(other);
        await expect(other.getByText('No saved views of this instance yet.')).toBeVisible();
        await other.keyboard.press('Escape');
      }
    });

    test('opens for everybody who may see the instance once it is shared', async () => {
      const page = pages.otto!;
      const dialog = page.getByRole('dialog', { name: 'Saved views of this instance' });
      await dialog.getByRole('button', { name: 'Share: Carts' }).click();
      await expect(dialog.getByText('shared · by otto')).toBeVisible();
      await dialog.getByRole('button', { name: 'Copy link: Carts' }).click();
      await expect(page.getByText('Link copied', { exact: true })).toBeVisible();
      expect(await copied(page)).toBe(link);
      await pages.olga!.goto(link);
      await showsCarts(pages.olga!);
    });

    test('is updated to what another page shows, by those who may', async () => {
      const page = pages.olga!;
      await page.goto(at('/keys?prefix=cart%3A1%3A&sort=name'));
      await settled(page);
      const dialog = await manage(page);
      await dialog.getByRole('button', { name: 'Update to what is shown now…: Carts' }).click();
      const question = page.getByRole('dialog', { name: 'Update “Carts”?' });
      await expect(question.getByText('everybody who opens it sees the change')).toBeVisible();
      await still(page);
      await isAccessible(page, 'updating a view', { include: OPENED, without: ['region'] });
      await question.getByRole('button', { name: 'Update view' }).click();
      await expect(page.getByText('View updated')).toBeVisible();
      await pages.otto!.goto(link);
      await expect(pages.otto!).toHaveURL(/\/keys\?(?=.*prefix=cart(:|%3A)1(:|%3A))(?=.*snapshot=latest)/);
      await settled(pages.otto!);
      await expect(pages.otto!.getByRole('link', { name: /^cart:1:/ })).toHaveCount(10);
    });
  });
