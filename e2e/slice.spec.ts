import { LONG } from '../test/long-form.mjs';
import { expect, test } from './fixtures';
import { buildPath, listPages } from './pages';
import { settled } from './settled';
import { NOT_AS_DRAWN, withoutFirstAnswers } from './without-first-answers';

/** The selection is in the address of every page of an instance until the user removes it. */
test('prefix, filter and snapshot travel from page to page', async ({ page, shared }) => {
  const slice = 'prefix=mall:&type=hash,string&bytesMin=64&snapshot=latest';
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/tree')}?${slice}&sort=-keys`);
  await settled(page);
  const kept = (url: URL) =>
    ['prefix', 'type', 'bytesMin', 'snapshot', 'sort'].map((name) => url.searchParams.get(name)).join(' ');
  const expected = 'mall: hash,string 64 latest ';
  const at = (place: string) => (url: URL) => url.pathname.endsWith(place) && kept(url) === expected;
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  for (const [label, place] of [
    ['TTL', '/ttl'],
    ['Overview', shared.mall.id],
    ['Server', '/server'],
    ['Findings', '/findings'],
    ['Keys', '/keys'],
  ] as const) {
    await sidebar.getByRole('link', { name: label, exact: true }).click();
    await page.waitForURL(at(place));
    await settled(page);
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect(chips.getByRole('button', { name: 'Remove filter Size' })).toBeVisible();
    // Pages that do not use the filter say so.
    const note = chips.getByText('Filters not applied on this page:');
    await expect(note).toHaveCount(['/ttl', '/keys', shared.mall.id].includes(place) ? 0 : 1);
  }

  // Open a key and go back.
  await page.getByRole('table').getByRole('link').first().click();
  await page.waitForURL(/\/keys\/.+/);
  await page.getByRole('main').getByRole('link', { name: 'Keys', exact: true }).click();
  await page.waitForURL(at('/keys'));

  // The command palette keeps it too, with the keyboard only.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Bigkeys');
  await page.keyboard.press('Enter');
  await page.waitForURL(at('/bigkeys'));
  await settled(page);
  await page.getByRole('button', { name: 'Remove filter Size' }).click();
  await expect(page).not.toHaveURL(/bytesMin/);
  await expect(page).toHaveURL(/prefix=mall/);
});

test('an instance is returned to as it was left', async ({ page, shared }) => {
  const { origin } = shared.stage;
  const slice = 'prefix=mall:&bytesMin=64&snapshot=latest';
  await page.goto(`${origin}${buildPath(shared.mall, '/keys')}?${slice}`);
  await settled(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.waitForURL('**/jobs');
  await settled(page);
  await page.getByRole('button', { name: 'Switch instance' }).click();
  await page.getByRole('menuitemcheckbox', { name: /^mall/ }).click();
  await page.waitForURL((url) => url.pathname === buildPath(shared.mall, ''));
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual(Object.fromEntries(new URLSearchParams(slice)));
  await expect(page.getByRole('button', { name: 'Remove filter Size' })).toBeVisible();
});

/** Some pages that use the filter and some that do not. */
const FEW = ['/tree', '/findings', '/edit', '/deletions'];

/** A snapshot in the address is shown as a choice that can be removed. */
test('a chosen snapshot has a chip on every page, also of a key and of the settings', async ({ page, shared }) => {
  const { snapshots } = await (
    await page.request.get(`${shared.stage.origin}/api${buildPath(shared.mall, '/snapshots')}`)
  ).json();
  const slice = `snapshot=${snapshots[0].id}&bytesMin=64`;
  const key = listPages(shared).find(({ path }) => /\/keys\/./.test(path))!.path;
  const places = LONG ? ['/tree', '', '/findings', '/findings/N8', '/edit', '/server', '/policy', '/deletions'] : FEW;
  for (const path of [...places.map((place) => buildPath(shared.mall, place)), key]) {
    await page.goto(`${shared.stage.origin}${path}${path.includes('?') ? '&' : '?'}${slice}`);
    await settled(page);
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect(chips.getByRole('button', { name: 'Remove filter Snapshot' }), path).toBeVisible();
    await expect(chips.getByRole('button', { name: 'Remove filter Size' }), path).toBeVisible();
    await expect(chips.getByText('Filters not applied on this page:'), path).toHaveCount(
      [buildPath(shared.mall, '/tree'), buildPath(shared.mall, '')].includes(path) ? 0 : 1,
    );
  }
  await page.getByRole('button', { name: 'Remove filter Snapshot' }).click();
  await expect(page).not.toHaveURL(/snapshot=/);
  await expect(page).toHaveURL(/bytesMin=64/);
});

/** Numbers of a part look like numbers of the whole, so the page shows which part it is and how to leave it. */
test('findings and the page of a rule name the prefix they are narrowed to, with a way out', async ({
  page,
  shared,
  tolerate,
}) => {
  tolerate(NOT_AS_DRAWN);
  const { origin } = shared.stage;
  for (const place of ['/findings', '/findings/N8']) {
    const narrow = `${origin}${buildPath(shared.mall, place)}?prefix=mall:&bytesMin=64`;
    await page.goto(narrow);
    await settled(page);
    const main = page.getByRole('main');
    const wayOut = main.getByRole('button', { name: 'Show the whole keyspace' });
    await expect(main.getByText('mall:', { exact: true }).first(), place).toBeVisible();
    await wayOut.click();
    await expect(page).not.toHaveURL(/prefix=/);
    await expect(page).toHaveURL(/bytesMin=64/);
    await expect(wayOut).toHaveCount(0);
    // The prefix is also shown while the response is pending.
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/reports/findings**', async (route) => {
      await held;
      await route.continue();
    });
    await withoutFirstAnswers(page, buildPath(shared.mall, place));
    await page.goto(narrow);
    await expect(main.getByRole('status', { name: /Waiting for the keys/ }), place).toBeVisible();
    await expect(wayOut, place).toBeVisible();
    answer();
    await page.unrouteAll({ behavior: 'wait' });
  }
});

/** Links of the overview and of findings keep the filter. */
test('links of the overview and between findings keep the other filters', async ({ page, shared }) => {
  // No link of these pages sets another size.
  const slice = 'bytesMin=64&snapshot=latest';
  for (const place of ['', '/findings', '/findings/N8']) {
    await page.goto(`${shared.stage.origin}${buildPath(shared.mall, place)}?${slice}`);
    await settled(page);
    const hrefs = await page
      .getByRole('main')
      .locator(`a[href*="/findings"], a[href*="/tree"], a[href*="/keys?"]`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect(hrefs.length, place).toBeGreaterThan(0);
    expect(hrefs.filter((href) => !href.includes('bytesMin=64'))).toEqual([]);
  }
});

/** `cache` is one key; the names that begin with it are another row of the tree. */
test('a click on a leaf lists the key of that name alone', async ({ page, shared }) => {
  await page.goto(`${shared.stage.origin}${buildPath(shared.mall, '/tree')}?prefix=mall:index:`);
  await settled(page);
  const leaf = page.getByRole('table').getByRole('button').and(page.getByTitle('Key without children')).first();
  await leaf.click();
  await page.waitForURL(/\/keys\?.*exact=true/);
  await settled(page);
  await expect(page.getByRole('button', { name: 'Remove filter Name is' })).toBeVisible();
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);
});

/** Pages with links besides the menu. LONG=1: all of them. */
const LINKED = ['overview', 'tree', 'bigkeys', 'ttl', 'keys', 'findings', 'rule', 'key', 'deletion plan'];

/** Links in tables may narrow the selection (a prefix, a type); none of them drops the chosen snapshot. */
test('no link of any page of an instance loses the snapshot', async ({ page, shared }) => {
  test.setTimeout(300_000);
  const base = buildPath(shared.mall, '');
  const slice = 'prefix=mall:&bytesMin=64&snapshot=latest';
  const places = listPages(shared).filter(({ name, path }) => path.startsWith(base) && (LONG || LINKED.includes(name)));
  const lost: string[] = [];
  let links = 0;
  for (const { name, path } of places) {
    await page.goto(`${shared.stage.origin}${path}${path.includes('?') ? '&' : '?'}${slice}`);
    await settled(page);
    const hrefs = await page
      .locator(`a[href^="${base}"]`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    links += hrefs.length;
    lost.push(
      ...hrefs
        .filter((href) => new URL(href, shared.stage.origin).searchParams.get('snapshot') !== 'latest')
        .map((href) => `${name}: ${href}`),
    );
  }
  expect(links).toBeGreaterThan(LONG ? 300 : 150);
  expect([...new Set(lost)]).toEqual([]);
});
