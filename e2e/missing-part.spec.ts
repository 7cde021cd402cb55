import { expect, test } from './fixtures';
import { settled } from './settled';

const CHUNKS = '**/_next/static/chunks/**';

test('a part of a page that is gone after an upgrade is said, and the page is loaded anew', async ({
  page,
  shared: { stage, mall },
  tolerate,
}) => {
  tolerate(/ERR_FAILED|ChunkLoadError/);
  await page.goto(`${stage.origin}/instances/${mall.id}`);
  await settled(page);
  const scan = page.getByRole('main').getByRole('button', { name: 'Scan', exact: true });
  await page.route(CHUNKS, (route) => route.abort());
  await scan.click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('A part of this page could not be loaded');
  await page.unroute(CHUNKS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  await scan.click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
