import { expect, test } from './fixtures';
import { pathOf } from './pages';
import { settled } from './settled';

test('a malformed answer blanks one card, not the page', async ({ page, house, tolerate }) => {
  // What React tells of a caught error.
  tolerate(/Cannot read properties|TypeError|error boundary|CardBoundary/i);
  await page.route('**/reports/types**', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    answer.report.encodings = null;
    await route.fulfill({ response, json: answer });
  });
  // The first answer comes within the page; without the filter, the browser asks for itself.
  await page.goto(`${house.stage.origin}${pathOf(house.mall, '/types')}?bytesMin=1`);
  await settled(page);
  await page.getByRole('button', { name: 'Remove filter Size' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: 'Types and encodings' })).toBeVisible();
  await expect(main.getByRole('row').filter({ hasText: 'hash' }).first()).toBeVisible();
  const retry = main.getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();
  // Whole again, the card is drawn.
  // An answer may still be on its way through the route.
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await settled(page);
  await expect(retry).toHaveCount(0);
});
