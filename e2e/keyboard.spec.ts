import type { Locator, Page } from '@playwright/test';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, test } from './fixtures';
import { buildPath } from './pages';
import { settled } from './settled';
import { Stage } from './stage';

/** The three main tasks, done with the keyboard only. */
async function tabTo(page: Page, target: Locator, max = 60): Promise<number> {
  for (let stops = 0; stops <= max; stops++) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return stops;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached within ${max} tab stops: ${target}`);
}

test('? shows the shortcuts, except where text is typed', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}/`);
  await settled(page);
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('/');
  await page.keyboard.type('?');
  await expect(page.getByRole('searchbox')).toHaveValue('?');
  await expect(help).toHaveCount(0);
  await page.getByRole('searchbox').press('Tab');
  await page.keyboard.press('?');
  await expect(help.getByText('Ctrl K')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
});

test('browses the tree', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/tree'));
  await settled(page);
  const table = page.getByRole('region', { name: 'Children of All keys' });
  const name = table.getByRole('button', { name: 'mall :', exact: true });
  // Sorted by size, this is the first row.
  await tabTo(page, table.locator('[data-node][tabindex="0"]'));
  // From here a few Tab stops lead out of the table, whatever its length.
  await page.keyboard.press('Tab');
  const actions = page.getByRole('button', { name: /^Actions for/ }).first();
  await expect(actions).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  // The menu returns the focus after it has closed.
  await expect(actions).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await table.evaluate((region) => region.contains(document.activeElement))).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  for (let i = 0; i < 30 && !(await name.evaluate((element) => element === document.activeElement)); i++)
    await page.keyboard.press('ArrowDown');
  await expect(name).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(table.getByRole('button', { name: 'Show what is below mall:cart:', exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/prefix=mall/);
  // The focus follows into a level and out again.
  const on = (start: RegExp) => expect(page.locator('[data-node]:focus')).toHaveAttribute('data-node', start);
  await on(/^mall:./);
  await page.keyboard.press('ArrowDown');
  await on(/^mall:./);
  await page.keyboard.press('Backspace');
  await on(/^mall:$/);
});

test('reviews bigkeys: the list is one stop, arrows walk its rows', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/bigkeys'));
  await settled(page);
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
  await expect.poll(() => boxes.count()).toBeGreaterThan(3);
  await tabTo(page, boxes.first());
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  const bar = page.getByRole('region', { name: '2 keys selected' });
  await expect(bar).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('row').nth(3).getByRole('link')).toBeFocused();
  // Leaving the list takes as many stops as one row has controls.
  let inside = 0;
  const list = page.getByRole('region', { name: 'Bigkeys', exact: true });
  while (await list.evaluate((region) => region.contains(document.activeElement))) {
    await page.keyboard.press('Tab');
    inside++;
    expect(inside).toBeLessThan(10);
  }
  for (let i = 0; i < inside + 4; i++) await page.keyboard.press('Shift+Tab');
  await tabTo(page, bar.getByRole('button', { name: 'Copy names' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Escaped, as redis-cli reads them' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar.getByRole('button', { name: 'Copy names' })).toBeFocused();
});

/** Returns how many Tab stops are inside the rows, from the focus on, until the focus has left them. */
async function stopsInside(page: Page, rows: Locator): Promise<number> {
  let stops = 0;
  while (await rows.evaluate((body) => body.contains(document.activeElement))) {
    await page.keyboard.press('Tab');
    stops++;
    expect(stops).toBeLessThan(10);
  }
  return stops;
}

test('findings are one stop, whatever their number; arrows reach every rule and what its chips say', async ({
  page,
  shared,
}) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings'));
  await settled(page);
  const rows = page.getByRole('region', { name: 'Rules', exact: true }).locator('tbody');
  const rules = rows.getByRole('link');
  await expect.poll(() => rules.count()).toBeGreaterThan(5);
  // The chips appear after the catalogue of rules is loaded.
  await expect.poll(() => rows.getByRole('button').count()).toBeGreaterThan(10);
  await tabTo(page, rules.first(), 150);
  expect(await stopsInside(page, rows)).toBe(1);
  await page.keyboard.press('Shift+Tab');
  await expect(rules.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rules.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(rows.getByRole('row').nth(1).getByRole('button').first()).toBeFocused();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(rules.nth(1)).toBeFocused();
  expect(await stopsInside(page, rows)).toBe(1);
});

test('patterns are one stop, arrows walk the rows', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/patterns'));
  await settled(page);
  const rows = page.getByRole('region', { name: 'Patterns', exact: true }).locator('tbody');
  const links = rows.getByRole('link');
  await expect.poll(() => links.count()).toBeGreaterThan(5);
  await tabTo(page, links.first(), 100);
  for (let row = 1; row < 5; row++) {
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(row)).toBeFocused();
  }
  expect(await stopsInside(page, rows)).toBe(1);
  // The focus returns to the row that it left.
  await page.keyboard.press('Shift+Tab');
  await expect(links.nth(4)).toBeFocused();
});

test.describe
  .serial('a deletion', () => {
    let redis: RedisServer;
    let stage: Stage;
    test.beforeAll(async () => {
      [redis, stage] = await Promise.all([startRedis(), Stage.open()]);
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('is planned, confirmed and finished', async ({ page }) => {
      const client = redis.client();
      for (let i = 0; i < 6000; i++) void client.sadd('shop:tags:all', `tag-${i}`);
      await client.set('shop:kept', '1');
      const shop = await registerAndScan(stage, {
        name: 'shop',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        readOnly: false,
      });
      await page.goto(`${stage.origin}/instances/${shop.id}/bigkeys`);
      await settled(page);
      await tabTo(page, page.getByRole('checkbox', { name: 'Select shop:tags:all' }));
      await page.keyboard.press('Space');
      const plan = page.getByRole('button', { name: 'Plan deletion of 1 key…' });
      await expect(plan).toBeVisible();
      for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+Tab');
      await tabTo(page, plan);
      await page.keyboard.press('Enter');
      const create = page.getByRole('dialog').getByRole('button', { name: 'Create plan' });
      await expect(create).toBeVisible();
      await tabTo(page, create);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Plan: delete 1 key' })).toBeVisible();
      await settled(page);
      await tabTo(page, page.getByLabel('Type shop to confirm'));
      await page.keyboard.type('shop');
      await tabTo(page, page.getByRole('button', { name: 'Delete 1 key from shop' }));
      await page.keyboard.press('Enter');
      await expect.poll(() => client.exists('shop:tags:all'), { timeout: 60_000 }).toBe(0);
      expect(await client.exists('shop:kept')).toBe(1);
    });
  });
