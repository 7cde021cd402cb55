import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { buildPath } from './pages';
import { settled } from './settled';

async function saved(page: Page, chart: string | RegExp, format: string): Promise<Buffer> {
  const name = typeof chart === 'string' ? `Download “${chart}” as an image` : chart;
  const item = page.getByRole('menuitem', { name: format });
  // Click only once: a second click would close a menu that opens slowly.
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await expect(item).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return readFile(await download.path());
}

/** A saved picture has no page and no filter chips around it, so it must itself say which keys it shows. */
test('the picture of a chart says of which instance, moment and keys it is', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/sizes')}?prefix=mall:&bytesMin=64`);
  await settled(page);
  const sizes = (await saved(page, /^Download “.+” as an image/, 'SVG image')).toString();
  for (const part of ['Colonnade · mall', 'Prefix mall:', 'Size ≥ 64 B']) expect(sizes).toContain(part);
});

test('a chart that has not been drawn yet is not saved as a blank picture', async ({ page, shared }) => {
  let draw = () => {};
  const mayDraw = new Promise<void>((resolve) => {
    draw = resolve;
  });
  await page.route('**/*.js', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    // The code that saves pictures names a part of the chart too.
    if (text.includes('recharts-') && !text.includes('foreignObject')) await mayDraw;
    await route.fulfill({ response, body: text });
  });
  // A page whose own scripts wait would have buttons before they work, so the chart comes by a link of a running page.
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/findings')}`);
  await settled(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Sizes', exact: true }).first().click();
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Download “/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'PNG image' }).click();
  await expect(page.getByText('This chart could not be saved as an image')).toBeVisible();
  draw();
  await settled(page);
});

test('bars that a page draws as boxes are pictures too', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/types')}?type=hash,string`);
  await settled(page);
  const types = (await saved(page, 'Types by keys and memory', 'SVG image')).toString();
  for (const part of ['Keys by type', 'Memory by type', '>hash<', '>string<', 'Type hash, string'])
    expect(types).toContain(part);
  expect(types).not.toContain('var(--');

  await page.goto(shared.stage.origin + buildPath(shared.social, '/slots'));
  await settled(page);
  const nodes = (await saved(page, 'Nodes', 'SVG image')).toString();
  for (const { port } of shared.cluster.masters) expect(nodes).toContain(`127.0.0.1:${port}`);
  for (const chart of ['Nodes', 'Slot map'])
    expect((await saved(page, chart, 'PNG image')).subarray(1, 4).toString()).toBe('PNG');
});
