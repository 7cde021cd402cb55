import { createFormat } from '../components/data/format/use-format';
import type { Deletion } from '../lib/model/deletions/deletion';
import type { ItemPage } from '../lib/model/deletions/deletion-item';
import { LONG } from '../test/long-form.mjs';
import { expect, type Scanned, type Shared, test } from './fixtures';
import { settled } from './settled';

/**
 * The first HTML, before any script runs, contains the formatted numbers of the API. If an answer is late or fails, the
 * browser requests it again.
 */
const f = createFormat('en', 'server');
const html = async (shared: Shared, path: string) => {
  const response = await fetch(`${shared.stage.origin}${path}`, { headers: { 'accept-language': 'en' } });
  expect(response.status).toBe(200);
  // Scripts contain the data of the cache, so they are removed: only visible text counts.
  return (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
};
const at = (instance: Scanned, page: string) => `/instances/${instance.id}${page}`;
/** The first answer of a busy server may be late, so the page is requested again, as a user would reload it. */
const report = <T>({ stage }: Shared, instance: Scanned, name: string) =>
  stage.ask<{ report: T }>('GET', `/api/snapshots/${instance.snapshotId}/reports/${name}`).then((r) => r.report);

test('the fleet names its instances with their keys', async ({ shared }) => {
  const { rows } = await shared.stage.ask<{ rows: { latest: { keys: number } | null }[] }>('GET', '/api/fleet');
  await expect(async () => {
    const text = await html(shared, '/');
    expect(text).toContain('mall');
    for (const { latest } of rows) expect(text).toContain(f.compact(latest?.keys));
  }).toPass({ timeout: 30_000 });
});

test('an overview tells how many keys there are', async ({ shared }) => {
  const { keys } = await report<{ keys: number }>(shared, shared.mall, 'overview');
  await expect(async () => {
    expect(await html(shared, at(shared.mall, ''))).toContain(f.number(keys));
  }).toPass({ timeout: 30_000 });
});

test('the tree names its first level with its keys', async ({ shared }) => {
  const { children } = await report<{ children: { segment: string; keys: number }[] }>(shared, shared.mall, 'tree');
  await expect(async () => {
    const text = await html(shared, at(shared.mall, '/tree'));
    expect(text).toContain(children[0]?.segment);
    expect(text).toContain(f.compact(children[0]?.keys));
  }).toPass({ timeout: 30_000 });
});

test('bigkeys are named', async ({ shared }) => {
  const { rows, total } = await report<{ rows: { name: string }[]; total: number }>(shared, shared.mall, 'bigkeys');
  await expect(async () => {
    const text = await html(shared, at(shared.mall, '/bigkeys'));
    expect(text).toContain(rows[0]?.name);
    expect(text).toContain(f.number(total));
  }).toPass({ timeout: 30_000 });
});

test('findings name the rules that are violated with how many keys', async ({ shared }) => {
  const { rules } = await report<{ rules: { rule: string; status: string; keys: number | null }[] }>(
    shared,
    shared.mall,
    'findings',
  );
  const [found] = rules.filter((rule) => rule.status === 'violated' && (rule.keys ?? 0) > 0);
  await expect(async () => {
    const text = await html(shared, at(shared.mall, '/findings'));
    expect(text).toContain(`>${found?.rule}<`);
    expect(text).toContain(f.number(found?.keys));
  }).toPass({ timeout: 30_000 });
});

test('every other report has its first numbers too', async ({ shared }) => {
  const of = <T>(name: string) => report<T>(shared, shared.mall, name);
  const { patterns } = await of<{ patterns: { keys: number }[] }>('patterns');
  const { types } = await of<{ types: { keys: number }[] }>('types');
  const { any } = await of<{ any: { keys: number } }>('ttl');
  const keys = await of<{ total: number; rows: { name: string }[] }>('keys');
  const { maxNameBytes } = await of<{ maxNameBytes: number }>('names');
  const { byType } = await of<{ byType: { keys: number }[] }>('sizes');
  for (const [page, text] of [
    ['/patterns', f.compact(patterns[0]?.keys)],
    ['/types', f.compact(types[0]?.keys)],
    ['/ttl', f.compact(any.keys)],
    ['/keys', f.number(keys.total)],
    ['/names', f.bytes(maxNameBytes)],
    ['/sizes', f.number(byType[0]?.keys)],
  ] as const)
    await expect(async () => {
      expect(await html(shared, at(shared.mall, page)), page).toContain(text);
    }).toPass({ timeout: 30_000 });
});

test('a key begins with what the snapshot knows of it', async ({ shared }) => {
  const { rows } = await report<{ rows: { k: string; name: string; db: number; bytes: number; length: number }[] }>(
    shared,
    shared.mall,
    'keys?sort=-bytes&limit=1',
  );
  const [row] = rows;
  await expect(async () => {
    const text = await html(shared, at(shared.mall, `/keys/${encodeURIComponent(row!.k)}?db=${row!.db}`));
    expect(text).toContain(f.bytes(row!.bytes));
    expect(text).not.toContain('animate-pulse');
  }).toPass({ timeout: 30_000 });
});

test('no page of a report begins with grey bars: its cards have their numbers too', async ({ shared }) => {
  const tree = await report<{ children: { segment: string }[] }>(shared, shared.mall, 'tree?sort=-bytes&limit=12');
  const places = [
    ['', tree.children.at(-1)?.segment],
    ['?by=keys', undefined],
    ['/ttl', undefined],
    ['/ttl?ahead=week&bytesMin=64', undefined],
    // Results that are computed from the keys are included if they are fast.
    ['/types', 'A single value above the limit'],
    ...['tree', 'bigkeys', 'patterns', 'keys', 'names', 'sizes', 'slots', 'idle', 'findings', 'findings/N8'].map(
      (page) => [`/${page}`, undefined] as const,
    ),
  ] as const;
  for (const [page, text] of places)
    await expect(async () => {
      const first = await html(shared, at(shared.mall, page));
      expect(first, page).not.toContain('animate-pulse');
      if (text !== undefined) expect(first, page).toContain(text);
    }).toPass({ timeout: 30_000 });
});

const newestJob = async ({ stage, mall }: Shared) =>
  (await stage.ask<{ jobs: { id: string }[] }>('GET', `/api/jobs?instanceId=${mall.id}`)).jobs[0]!;

test('a plan, a job and the pages of people begin with what they are about', async ({ shared }) => {
  const { id } = await newestJob(shared);
  const { plan } = (await shared.stage.ask<{ deletion: Deletion }>('GET', `/api/deletions/${shared.planId}`)).deletion;
  const { items } = await shared.stage.ask<ItemPage>('GET', `/api/deletions/${shared.planId}/items?limit=50`);
  for (const [path, text] of [
    [at(shared.mall, `/deletions/${shared.planId}`), f.number(plan.totals.keys)],
    // A plan shows its first ten keys; the others unfold.
    [at(shared.mall, `/deletions/${shared.planId}`), items[9]!.name],
    [`/jobs/${id}`, 'mall'],
    ['/users', 'No users yet'],
    ['/account', 'Single user'],
  ] as const)
    await expect(async () => expect(await html(shared, path), path).toContain(text)).toPass({ timeout: 30_000 });
});

test('a page of an instance that is not there is answered, and the browser says why', async ({
  shared,
  page,
  tolerate,
}) => {
  tolerate(/404/);
  await page.goto(`${shared.stage.origin}/instances/nobody/bigkeys`);
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
});

test('nothing is told twice or differently once the page is taken over', async ({ shared, page }) => {
  test.setTimeout(300_000);
  // layout.spec.ts opens the others too, and fails if anything is logged to the console there.
  const reports = ['tree', 'bigkeys', 'findings', 'patterns', 'types', 'keys', 'names', 'sizes', 'slots', 'idle'];
  for (const path of [
    '/',
    at(shared.mall, ''),
    at(shared.mall, '/ttl'),
    at(shared.mall, `/deletions/${shared.planId}`),
    `/jobs/${(await newestJob(shared)).id}`,
    ...(LONG ? [...reports.map((page) => at(shared.mall, `/${page}`)), '/users', '/account'] : []),
  ]) {
    await page.goto(`${shared.stage.origin}${path}`);
    await settled(page);
    await page.waitForLoadState('networkidle').catch(() => {});
  }
});

test.describe('to a reader of another time zone', () => {
  test.use({ timezoneId: 'Asia/Shanghai' });

  test('pages with moments are taken over as they were written', async ({ shared, page }) => {
    for (const path of [
      at(shared.mall, '/ttl?ahead=all'),
      ...(LONG ? [at(shared.mall, '/ttl'), '/jobs'] : []),
      `/jobs/${(await newestJob(shared)).id}`,
      at(shared.mall, `/deletions/${shared.planId}`),
    ]) {
      await page.goto(`${shared.stage.origin}${path}`);
      await settled(page);
      await page.waitForLoadState('networkidle').catch(() => {});
    }
  });
});

test('no page brings the instances of a menu that is closed', async ({ page, shared }) => {
  const { origin } = shared.stage;
  const names = async (path: string) => (await (await fetch(origin + path)).text()).includes(shared.mall.id);
  expect([await names('/'), await names('/instances/new')]).toEqual([true, false]);
  await page.goto(`${origin}/instances/new`);
  await settled(page);
  const menu = page.getByRole('button', { name: 'Switch instance' });
  await expect(menu).toHaveText('Choose an instance');
  await menu.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: /^mall/ }).click();
  await page.waitForURL((url) => url.pathname === at(shared.mall, ''));
  // After a navigation within the page the button shows the name of the instance, too.
  await expect(menu).toContainText('mall');
});
