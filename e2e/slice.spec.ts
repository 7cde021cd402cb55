import { expect, test } from './fixtures';
import { pathOf } from './pages';
import { settled } from './settled';

/** What is looked at belongs to the address of every page of an instance, until somebody takes it away. */
test('prefix, filter and snapshot travel from page to page', async ({ page, house }) => {
  const slice = 'prefix=mall:&type=hash,string&bytesMin=64&snapshot=latest';
  await page.goto(`${house.stage.origin}${pathOf(house.mall, '/tree')}?${slice}&sort=-keys`);
  await settled(page);
  const kept = (url: URL) =>
    ['prefix', 'type', 'bytesMin', 'snapshot', 'sort'].map((name) => url.searchParams.get(name)).join(' ');
  const expected = 'mall: hash,string 64 latest ';
  const at = (place: string) => (url: URL) => url.pathname.endsWith(place) && kept(url) === expected;
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  for (const [label, place] of [
    ['TTL', '/ttl'],
    ['Overview', house.mall.id],
    ['Server', '/server'],
    ['Findings', '/findings'],
    ['Keys', '/keys'],
  ] as const) {
    await sidebar.getByRole('link', { name: label, exact: true }).click();
    await page.waitForURL(at(place));
    await settled(page);
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect(chips.getByRole('button', { name: 'Remove filter Size' })).toBeVisible();
    // Pages that do not ask by it say so.
    const note = chips.getByText('Filters not applied on this page:');
    await expect(note).toHaveCount(['/ttl', '/keys'].includes(place) ? 0 : 1);
  }

  // To a key and back again.
  await page.getByRole('table').getByRole('link').first().click();
  await page.waitForURL(/\/keys\/.+/);
  await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
  await page.waitForURL(at('/keys'));

  // The command palette too, by keyboard alone.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Bigkeys');
  await page.keyboard.press('Enter');
  await page.waitForURL(at('/bigkeys'));
  await settled(page);
  await page.getByRole('button', { name: 'Remove filter Size' }).click();
  await expect(page).not.toHaveURL(/bytesMin/);
  await expect(page).toHaveURL(/prefix=mall/);
});
