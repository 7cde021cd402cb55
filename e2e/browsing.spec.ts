import { readFileSync } from 'node:fs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { judgeOpened } from './opened';
import { buildPath } from './pages';
import { settled } from './settled';
import { Stage } from './stage';

/** These specs use the tree and the list of bigkeys, on a keyspace with ids, a wide level and bigkeys. */

const DATES = Array.from({ length: 28 }, (_, i) => String(20261101 + i));
/** Words of four letters, so that nothing is folded: 1,250 of them are seven pages. */
const WORDS = Array.from({ length: 1250 }, (_, i) =>
  [Math.floor(i / 250), Math.floor(i / 50) % 5, Math.floor(i / 10) % 5, i % 10].map((n) => 'abcdefghij'[n]).join(''),
);
const LONG_NAME = 'warehouse:stock-by-shelf-north';

let redis: RedisServer;
let stage: Stage;
let shop: Scanned;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  [redis, stage] = await Promise.all([startRedis(), Stage.open()]);
  const client = redis.client();
  const pipeline = client.pipeline();
  for (const date of DATES) for (let i = 0; i < 30; i++) pipeline.set(`shop:order:${date}:${i}:string`, 'x'.repeat(90));
  for (const word of WORDS) pipeline.set(`wide:${word}:v`, 'v');
  for (let i = 0; i < 5; i++) pipeline.set(`${LONG_NAME}:${'abcde'[i]}`, 'v');
  pipeline.set('', 'the key with the empty name');
  pipeline.set('plain', 'v');
  for (let i = 0; i < 60; i++)
    pipeline.zadd('shop:rank:all', ...Array.from({ length: 1000 }, (_, j) => [j, `m${i * 1000 + j}`]).flat());
  for (let i = 0; i < 20; i++)
    pipeline.hset(
      'shop:session:all',
      Object.fromEntries(Array.from({ length: 1000 }, (_, j) => [`f${i * 1000 + j}`, 'v'])),
    );
  pipeline.expire('shop:session:all', 1800);
  await pipeline.exec();
  shop = await registerAndScan(stage, {
    name: 'shop',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: redis.port }],
    readOnly: false,
  });
});
test.afterAll(async () => {
  await Promise.all([stage.close(), redis.stop()]);
});

const at = (page: string) => `${stage.origin}${buildPath(shop, page)}`;

test('a folded node opens into its values, and a chain of them is one click', async ({ page }) => {
  const table = page.getByRole('table');
  await page.goto(at('/tree?prefix=shop:order:'));
  await settled(page);
  await expect(table.locator('[data-node]')).toHaveCount(1);
  await table.getByRole('button', { name: 'Show the 28 values of {date}' }).click();
  await expect(table.locator('[data-node]')).toHaveText(DATES.map((date) => `${date}:`));
  // Folding is still on everywhere else.
  await expect(page.getByRole('switch', { name: 'Fold IDs' })).toBeChecked();
  await isAccessible(page, 'values of a folded node');
  await table.locator('[data-node="shop:order:20261107:"]').click();
  await expect(page).toHaveURL(/prefix=shop(:|%3A)order(:|%3A)20261107/);
  await expect(table.locator('[data-node]')).toHaveText(['{int}:']);
  await page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: 'order' }).click();
  await table.locator('[data-node]').click();
  await expect(table.locator('[data-node]')).toHaveText(['string']);
  await expect(table).toContainText('840');
});

test('the menu of a folded node leads to its values, too', async ({ page }) => {
  await page.goto(at('/tree?prefix=shop:order:&search=1'));
  await settled(page);
  await page.getByRole('button', { name: /^Actions for \{date\}/ }).click();
  await page.getByRole('menuitem', { name: 'Show its values' }).click();
  await expect(page.locator('[data-node="shop:order:20261101:"]')).toBeVisible();
});

test('a wide level has first, last and any page, and a treemap that leads into it', async ({ page }) => {
  await page.goto(at('/tree?prefix=wide:&sort=name'));
  await settled(page);
  const pager = page.getByRole('navigation', { name: 'Pages' });
  await expect(pager).toContainText('1–200 of 1,250');
  const map = page.getByRole('group', { name: /^Treemap of/ });
  await map.focus();
  await map.press('ArrowRight');
  await expect(map).toContainText(/Names on other pages that begin with [a-e]/);
  await map.press('Enter');
  await expect(page).toHaveURL(/match=[a-e]/);
  await expect(pager).toContainText('1–200 of 250');
  await page.goBack();
  await expect(pager).toContainText('1–200 of 1,250');

  await pager.getByRole('button', { name: 'Last page' }).click();
  await expect(pager).toContainText('1,201–1,250 of 1,250');
  await expect(pager.getByRole('button', { name: 'Next' })).toBeDisabled();
  await pager.getByRole('textbox', { name: 'Go to page' }).fill('3');
  await pager.getByRole('textbox', { name: 'Go to page' }).press('Enter');
  await expect(pager).toContainText('401–600 of 1,250');
  await isAccessible(page, 'wide level');
  await pager.getByRole('button', { name: 'First page' }).click();
  await expect(pager).toContainText('1–200 of 1,250');
});

test('the table has the room: names are whole, the treemap is narrowed, hidden, and stays so', async ({ page }) => {
  const map = page.getByRole('group', { name: /^Treemap of/ });
  const measureWidth = async () => (await map.boundingBox())?.width ?? 0;
  await page.goto(at('/tree'));
  await settled(page);
  const cut = () =>
    page
      .getByRole('table')
      .locator('[data-node], [data-node] :not(.sr-only)')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length);
  expect(await cut()).toBe(0);
  const narrow = await measureWidth();
  await page.getByRole('radio', { name: 'Wide' }).click();
  await expect.poll(measureWidth).toBeGreaterThan(narrow + 50);
  await page.getByRole('radio', { name: 'Hidden' }).click();
  await expect(map).toBeHidden();
  await page.reload();
  await settled(page);
  await expect(map).toBeHidden();
  await page.getByRole('radio', { name: 'Narrow' }).click();
  await expect(map).toBeVisible();
});

test('a tick says how many keys and bytes it is, in the tree and among bigkeys', async ({ page }) => {
  await page.goto(at('/tree'));
  await settled(page);
  await page.getByRole('checkbox', { name: 'Select wide:' }).check();
  await expect(page.getByRole('region', { name: /^1 node · 1,250 keys · [\d.]+ KiB$/ })).toBeVisible();
  await page.goto(at('/bigkeys'));
  await settled(page);
  await page.getByRole('checkbox', { name: 'Select shop:rank:all' }).check();
  await expect(page.getByRole('region', { name: /^1 key selected · [\d.]+ MiB$/ })).toBeVisible();
});

test('the row of the empty name opens this key, which has a page', async ({ page }) => {
  await page.goto(at('/tree'));
  await settled(page);
  await page.getByRole('table').locator('[data-node=""]').click();
  await page.waitForURL(/\/keys/);
  await settled(page);
  await expect(page.getByRole('main')).toContainText('1–1 of 1');
  await page.getByRole('link', { name: '(empty name)' }).click();
  await page.waitForURL(/\/keys\/~/);
  await settled(page);
  await expect(page.getByRole('main')).toContainText('string');
});

test('on a phone the list of the tree begins early, and bigkeys keep elements, TTL and hazards', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/tree'));
  await settled(page);
  const first = await page.locator('[data-node]').first().boundingBox();
  expect(first?.y).toBeLessThan(560);
  await page.goto(at('/bigkeys'));
  await settled(page);
  const row = page.getByRole('row').filter({ hasText: 'shop:session:all' });
  await expect(row.getByText('20,000').first()).toBeVisible();
  await expect(row.getByText(/^\d+ m/).first()).toBeVisible();
  await expect(row.getByText('Expiry blocks').first()).toBeVisible();
  await expect(row.getByRole('button', { name: 'Plan deletion of shop:session:all…' })).toBeVisible();
  await isAccessible(page, 'bigkeys on a phone');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a bigkey is split by advice: into how many keys, how they are named, what happens to the old one', async ({
  page,
}) => {
  await page.goto(at('/bigkeys'));
  await settled(page);
  await page.getByRole('button', { name: 'Split shop:rank:all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Split into 16 keys' });
  await expect(dialog).toContainText('shop:rank:all:0');
  await expect(dialog).toContainText('shop:rank:all:15');
  await expect(dialog).toContainText('About 3,750 elements each.');
  await expect(dialog).toContainText('ZADD part score member');
  await isAccessible(page, 'split dialog', { include: '[role="dialog"]' });
  await dialog.getByRole('button', { name: 'Plan deletion of the old key…' }).click();
  await expect(page.getByRole('dialog', { name: 'Plan deletion' })).toBeVisible();
});

test('read-only is said where a deletion begins, and saving the settings leads back to the plan', async ({ page }) => {
  await stage.ask('PATCH', `/api/instances/${shop.id}`, { readOnly: true });
  await page.goto(at('/bigkeys?prefix=shop:'));
  await settled(page);
  await page.getByRole('button', { name: 'Plan deletion of shop:rank:all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan deletion' });
  await expect(dialog).toContainText('shop is marked read-only');
  await isAccessible(page, 'plan of a read-only instance', { include: '[role="dialog"]' });
  await dialog.getByRole('button', { name: 'Create plan' }).click();
  await page.waitForURL(/\/deletions\//);
  const plan = new URL(page.url()).pathname;
  await page.getByRole('link', { name: 'Open settings' }).click();
  await page.waitForURL(/\/edit/);
  await settled(page);
  await page.getByRole('switch', { name: /^Read-only/ }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL((url) => url.pathname === plan);
  await expect(page.getByLabel('Type shop to confirm')).toBeVisible();
  // A plan that is discarded leads back to where it was made.
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/bigkeys') && url.searchParams.get('prefix') === 'shop:');
});

test('from a bigkey to its running deletion it is four clicks and the typed name', async ({ page }) => {
  let clicks = 0;
  const main = page.getByRole('main');
  await page.goto(at('/bigkeys'));
  await settled(page);
  await page.exposeFunction('countClick', () => clicks++);
  await page.evaluate(() =>
    document.addEventListener('click', () => (window as unknown as { countClick(): void }).countClick(), true),
  );
  await main.getByRole('button', { name: 'Plan deletion of shop:session:all…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create plan' }).click();
  await main.getByLabel('Type shop to confirm').click();
  await page.keyboard.type('shop');
  await main.getByRole('button', { name: 'Delete 1 key from shop' }).click();
  await expect(main.getByText(/^(Draining|Done)$/).first()).toBeVisible();
  await expect.poll(() => redis.client().exists('shop:session:all')).toBe(0);
  expect(clicks).toBeLessThanOrEqual(5);

  // A whole row of the list of deletions is a link: what is clicked is the link that covers the cell.
  await page.goto(at('/deletions'));
  await settled(page);
  await main.getByRole('row').nth(1).getByRole('cell').last().click({ force: true });
  await page.waitForURL(/\/deletions\/.+/);
});

test('a standard is saved as one file, statement by statement, that has no script', async ({ page }) => {
  await page.goto(at(''));
  await settled(page);
  await page.getByRole('button', { name: 'Export this report' }).click();
  await page.getByRole('menuitem', { name: 'Report to print or mail…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Content').click();
  await page.getByRole('option', { name: /^S2 / }).click();
  await judgeOpened(page, { name: 'the report to print', of: 'instances/overview/html-report-dialog' });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save file' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^colonnade-shop-standard-S2-\d{4}-\d\d-\d\d\.html$/);
  const html = readFileSync(await file.path(), 'utf8');
  expect(html).toContain('for people to answer');
  expect(html).not.toContain('<script');
});
