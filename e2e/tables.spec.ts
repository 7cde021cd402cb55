import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures';
import { buildPath } from './pages';
import { settled } from './settled';

test('the fleet is sorted by its headers, and the address keeps the order', async ({ page, shared }) => {
  await page.goto(shared.stage.origin);
  await settled(page);
  const names = page.getByRole('row').getByRole('link', { name: /^(mall|social)$/ });
  await expect(names).toHaveText(['mall', 'social']);
  const name = page.getByRole('columnheader', { name: 'Instance' });
  await expect(name).toHaveAttribute('aria-sort', 'ascending');
  await name.getByRole('button').click();
  await expect(names).toHaveText(['social', 'mall']);
  const keys = page.getByRole('columnheader', { name: 'Keys', exact: true });
  await keys.getByRole('button').press('Enter');
  await expect(keys).toHaveAttribute('aria-sort', 'descending');
  await expect(names).toHaveText(['mall', 'social']);
  await expect(page).toHaveURL(/sort=-keys/);
  await keys.getByRole('button').press('Enter');
  // The address changes a moment later; a reload before that would reload the former address.
  await expect(page).toHaveURL(/sort=keys/);
  await page.reload();
  await settled(page);
  await expect(names).toHaveText(['social', 'mall']);
});

test('chosen columns survive a reload and can be reset', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/tree'));
  await settled(page);
  const column = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect(column('Bigkeys')).toBeVisible();
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Bigkeys' }).click();
  // While the menu is open, the rest of the page is hidden from screen readers.
  await page.keyboard.press('Escape');
  await expect(column('Keys')).toBeVisible();
  await expect(column('Bigkeys')).toHaveCount(0);
  await page.reload();
  await settled(page);
  await expect(column('Keys')).toBeVisible();
  await expect(column('Bigkeys')).toHaveCount(0);

  // A column that does not fit on a phone can be shown by the user.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(column('Findings')).toBeHidden();
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Findings' }).click();
  await page.keyboard.press('Escape');
  await expect(column('Findings')).toHaveCount(1);
  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitem', { name: 'Reset to default' }).click();
  await expect(column('Findings')).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(column('Bigkeys')).toBeVisible();
});

test('a node of the tree opens in place, by mouse and keyboard; its name goes to its level', async ({
  page,
  shared,
}) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/tree'));
  await settled(page);
  const table = page.getByRole('region', { name: 'Children of All keys' });
  // A long table only draws the rows in view; its attribute says how many there are.
  const rows = async () =>
    Number((await table.getByRole('table').getAttribute('aria-rowcount')) ?? (await table.getByRole('row').count()));
  const before = await rows();
  const opener = table.getByRole('button', { name: 'Show what is below mall:', exact: true });
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await opener.click();
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  const cart = table.getByRole('button', { name: 'Show what is below mall:cart:', exact: true });
  await expect(cart).toBeVisible();
  await expect.poll(rows).toBeGreaterThan(before);
  await expect(page).not.toHaveURL(/prefix=/);

  await table.getByRole('button', { name: 'mall :', exact: true }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(cart).toHaveCount(0);
  await expect.poll(rows).toBe(before);
  await page.keyboard.press('ArrowRight');
  await expect(cart).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/prefix=mall/);
  await expect(page.getByRole('region', { name: 'Children of mall:' })).toBeVisible();
});

test('Shift ticks a range of keys, and the plan takes them', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/keys?prefix=mall%3Acart%3A'));
  await settled(page);
  const boxes = page.getByRole('checkbox', { name: /^Select mall:cart:/ });
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: '4 keys selected' });
  await expect(bar).toBeVisible();
  await expect(boxes.nth(2)).toBeChecked();
  await bar.getByRole('button', { name: 'Plan deletion of 4 keys…' }).click();
  await expect(page.getByRole('dialog', { name: 'Plan deletion' })).toContainText('4 keys selected');
});

for (const width of [1280, 390])
  test(`ticking the first row moves no row, at ${width}`, async ({ page, shared }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/keys', '/bigkeys', '/tree']) {
      await page.goto(shared.stage.origin + buildPath(shared.mall, path));
      await settled(page);
      const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
      // A click would scroll a box into view that is not.
      await boxes.nth(1).evaluate((box) => box.scrollIntoView({ block: 'center' }));
      const before = await boxes.nth(1).boundingBox();
      await boxes.nth(1).click();
      const bar = page.getByRole('region', { name: /^1 (key selected|node) ·/ });
      await expect(bar.getByRole('button', { name: /^Plan deletion/ })).toBeVisible();
      expect(await boxes.nth(1).boundingBox(), path).toEqual(before);
      // All buttons of the bar are in the viewport.
      for (const button of await bar.getByRole('button').all()) await expect(button).toBeInViewport({ ratio: 1 });
      await bar.getByRole('button', { name: /^Clear/ }).click();
      await expect(bar).toHaveCount(0);
      expect(await boxes.nth(1).boundingBox(), path).toEqual(before);
    }
  });

/** Runs in the page. Returns how many placeholders of undrawn rows are visible, because drawing follows scrolling. */
function undrawnInSight(region: Element): number {
  const { top, bottom } = region.getBoundingClientRect();
  const gaps = [...region.querySelectorAll('tbody > tr[aria-hidden]')].map((gap) => gap.getBoundingClientRect());
  return gaps.filter((gap) => gap.bottom > top + 1 && gap.top < bottom - 1).length;
}

test('a level of many nodes has pages; every node is on one of them', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/tree')}?sort=name`);
  await settled(page);
  const table = page.getByRole('region', { name: 'Children of All keys' });
  const pager = page.getByRole('navigation', { name: 'Pages' });
  const names = table.locator('[data-node]');
  const seen = new Set<string>();
  const total = Number((await pager.innerText()).match(/of ([\d,]+)/)![1]!.replaceAll(',', ''));
  expect(total).toBeGreaterThan(200);
  for (let n = 1; ; n++) {
    await expect(pager).toContainText(`${(n - 1) * 200 + 1}–`.replace(/(\d)(\d{3})–/, '$1,$2–'));
    for (let top = 0; ; top += 400) {
      const end = await table.evaluate((region, to) => {
        region.scrollTop = to;
        return region.scrollHeight - region.clientHeight;
      }, top);
      await expect.poll(() => table.evaluate(undrawnInSight), { message: `rows of page ${n} at ${top}` }).toBe(0);
      for (const name of await names.evaluateAll((all) => all.map((one) => one.getAttribute('data-node')!)))
        seen.add(name);
      if (top >= end) break;
    }
    const next = pager.getByRole('button', { name: 'Next' });
    if (await next.isDisabled()) break;
    await next.click();
    await settled(page);
  }
  expect(seen.size).toBe(total);
  // Another order begins at its first page.
  await table.getByRole('columnheader', { name: 'Keys', exact: true }).getByRole('button').click();
  await expect(pager).toContainText('1–200');
});

test('the arrow keys walk through a long level, beyond the rows that are drawn', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/tree')}?sort=name`);
  await settled(page);
  const table = page.getByRole('region', { name: 'Children of All keys' });
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'));
  await table.locator('[data-node]').first().focus();
  expect(await focused()).toBe('2');
  for (let n = 3; n <= 92; n++) {
    await page.keyboard.press('ArrowDown');
    // If the next row is not drawn yet, the focus follows in the next frame.
    await expect.poll(focused).toBe(String(n));
  }
  await expect(page.locator('tr:focus-within [data-node]')).toBeInViewport();
  await expect.poll(() => table.locator('[data-node]').count()).toBeLessThan(80);
  // A user who leaves the table and returns is at the same row.
  await table.evaluate((region) => {
    region.scrollTop = 0;
  });
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe('91');
});

test('a plan needs a filter; every key of a snapshot needs a word to be typed', async ({ page, shared }) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/keys'));
  await settled(page);
  // The largest keys are first.
  await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
  const plan = page.getByRole('button', { name: /^Plan deletion of/ });
  await expect(plan).toBeDisabled();
  await expect(plan).toHaveAccessibleDescription('Set a filter or tick keys first');
  await page.getByRole('button', { name: 'More plans' }).click();
  await page.getByRole('menuitem', { name: 'Plan deletion of every key…' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create plan' });
  await expect(create).toBeDisabled();
  await dialog.getByLabel(/Type ALL to confirm/).fill('all');
  await expect(create).toBeDisabled();
  await dialog.getByLabel(/Type ALL to confirm/).fill('ALL');
  await expect(create).toBeEnabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/keys')}?prefix=mall:index:`);
  await settled(page);
  await expect(plan).toBeEnabled();
  await expect(plan).toHaveText(/Plan deletion of [\d,]+ keys?…/);
});

test('whoever looks at one key comes back to the page, the ticks and the place of the list', async ({
  page,
  shared,
}) => {
  await page.goto(shared.stage.origin + buildPath(shared.mall, '/keys'));
  await settled(page);
  const main = page.getByRole('main');
  const list = main.getByRole('region').filter({ has: page.getByRole('columnheader', { name: 'Key', exact: true }) });
  const pager = page.getByRole('navigation', { name: 'Pages' });
  await expect(pager).toContainText(/^1–/);
  await pager.getByRole('button', { name: 'Next' }).click();
  await expect(pager).not.toContainText(/^1–/);
  const range = (await pager.innerText()).split('\n')[0]!;
  await settled(page);
  await list.getByRole('checkbox').nth(3).click();
  const bar = page.getByRole('region', { name: '1 key selected' });
  await expect(bar).toBeVisible();
  await list.evaluate((element) => element.scrollTo({ top: 2000 }));
  const name = list.getByRole('row').nth(16).getByRole('link').first();
  await name.click();
  await expect(page).toHaveURL(/\/keys\/./);
  await settled(page);
  await page.goBack();
  await settled(page);
  await expect(pager).toContainText(range);
  await expect(bar).toBeVisible();
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(1500);
  // Another sort order begins at its first page.
  await list.getByRole('columnheader', { name: 'Key', exact: true }).getByRole('button').click();
  await expect(pager).toContainText(/^1–/);
});

for (const [locale, showAll] of [
  ['en', /^Show passed/],
  ['zh-CN', /^显示通过/],
] as const)
  test(`titles of rules have room for two lines at 1280 px, ${locale}`, async ({ page, shared, context }) => {
    await context.addCookies([{ name: 'locale', value: locale, url: shared.stage.origin }]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(shared.stage.origin + buildPath(shared.mall, '/findings'));
    await settled(page);
    await page.getByRole('button', { name: showAll }).click();
    const titles = page.locator('[data-row] td:first-child a');
    await expect.poll(() => titles.count()).toBeGreaterThan(40);
    const lines = await titles.evaluateAll((links) =>
      links.map((link) => {
        const text = document.createRange();
        text.selectNodeContents(link);
        return [link.textContent, new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size] as const;
      }),
    );
    expect(lines.filter(([, count]) => count > 2)).toEqual([]);
    // No part of the table is outside its edge.
    const table = page.locator('[data-row]').first().locator('xpath=ancestor::section[1]');
    expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  });

test('a table is saved as CSV, as it is shown', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}/?sort=-name`);
  await settled(page);
  await page.getByRole('button', { name: /^Export this list/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^CSV of/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^colonnade-fleet-.{10}-2-rows\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  expect(lines[0]).toMatch(/^\ufeffInstance,.*Keys,Memory \(bytes\),/);
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^social.*,\d+,/), expect.stringMatching(/^mall.*,\d+,/)]);
});
