import type { KeyRow } from '../lib/model/snapshots/snapshot';
import { HOSTILE_NAMES } from '../scripts/seed/hostile-names.mjs';
import { LONG } from '../test/long-form.mjs';
import { expect, test } from './fixtures';
import { buildPath } from './pages';

const HOSTILE_DATABASE = 5;
const hex = (name: Buffer) => name.toString('hex');
/** One name for each danger: bytes, direction, escapes, prototypes, braces, markup, paths, addresses, lines, length. */
const FEW = new Set(
  [
    ...['', '\0', '\u202Egnp.exe', '\u001b[2J', '__proto__', '{{a}}', '\\', '<img src=x onerror=alert(1)>'],
    ...['"><script>alert(1)</script>', 'javascript:alert(1)', '../../etc/passwd', '%2e%2e', 'query?x=1&y=2'],
    ...['\n{"level":"info"}', `z${'\u0301'.repeat(500)}`],
  ].map((name) => hex(Buffer.from(name))),
).add('fffe');

test.describe('names that break careless tools', () => {
  test('all of them are in the list, byte for byte', async ({ shared }) => {
    const { stage, mall } = shared;
    const rows: KeyRow[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/api/snapshots/${mall.snapshotId}/reports/keys?db=${HOSTILE_DATABASE}&limit=200${query}`;
      const { report } = await stage.ask<{ report: { rows: KeyRow[]; nextCursor: string | null } }>('GET', path);
      rows.push(...report.rows);
      cursor = report.nextCursor;
    } while (cursor !== null);
    const addressed = new Set(
      rows.filter((row) => row.k !== null).map((row) => hex(Buffer.from(row.k as string, 'base64url'))),
    );
    const short = HOSTILE_NAMES.filter((name: Buffer) => name.length <= 4096);
    expect(short.filter((name: Buffer) => !addressed.has(hex(name))).map(hex)).toEqual([]);
    // Longer names are listed with their length, although they have no page.
    const long = HOSTILE_NAMES.filter((name: Buffer) => name.length > 4096).map((name: Buffer) => name.length);
    const listed = rows.filter((row) => row.nameBytes > 4096).map((row) => row.nameBytes);
    expect(listed.sort()).toEqual(long.sort());
  });

  test('the pages show them as text', async ({ page, shared }) => {
    test.setTimeout(120_000);
    const { stage, mall } = shared;
    await page.goto(`${stage.origin}${buildPath(mall, '/keys')}?db=${HOSTILE_DATABASE}&search=onerror`);
    await expect(page.getByRole('main').getByText('<img src=x onerror=alert(1)>').first()).toBeVisible();
    await page.goto(`${stage.origin}${buildPath(mall, '/tree')}?db=${HOSTILE_DATABASE}`);
    await expect(page.getByRole('region', { name: /^Children of/ })).toBeVisible();
    expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
    expect(await page.evaluate(() => ({}) as { polluted?: unknown }).then((o) => o.polluted)).toBeUndefined();
  });

  test('each opens on a page of its own', async ({ page, shared }) => {
    test.setTimeout(480_000);
    const { stage, mall } = shared;
    const chosen = HOSTILE_NAMES.filter(
      (name: Buffer) => name.length <= 4096 && (name.length !== 1 || [0, 10, 37, 92, 255].includes(name[0] as number)),
    );
    const buildAddress = (name: Buffer) =>
      `${stage.origin}${buildPath(mall, '/keys')}/${name.length === 0 ? '~' : name.toString('base64url')}?db=${HOSTILE_DATABASE}`;
    const shown = chosen.filter((name: Buffer) => LONG || FEW.has(hex(name)));
    expect(shown.length).toBeGreaterThanOrEqual(FEW.size);
    // LONG=1 opens each page in the browser; otherwise most pages are only requested.
    for (const name of chosen.filter((one: Buffer) => !shown.includes(one))) {
      const answer = await fetch(buildAddress(name), { headers: { accept: 'text/html', 'accept-language': 'en' } });
      const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '');
      expect.soft([hex(name), answer.status, /<h1\b/.test(html)]).toEqual([hex(name), 200, true]);
      expect.soft(html, hex(name)).not.toContain('This key does not exist');
    }
    for (const name of shown) {
      await test.step(hex(name).slice(0, 40), async () => {
        await page.goto(buildAddress(name));
        await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByText('This key does not exist')).toHaveCount(0);
      });
    }
  });

  test('the export holds their bytes and no formula', async ({ shared }) => {
    const { stage, mall } = shared;
    const response = await fetch(
      `${stage.origin}/api/snapshots/${mall.snapshotId}/keys?db=${HOSTILE_DATABASE}&format=csv`,
    );
    expect(response.headers.get('content-type')).toContain('text/csv');
    const text = await response.text();
    expect(text).toContain(Buffer.from('=cmd|').toString('utf8'));
    expect(text).not.toMatch(/(^|,)"?[=@+]/m);
    for (const name of ["=cmd|'/c calc'!A1", 'quote"quote', '\u202Egnp.exe']) {
      expect(text).toMatch(
        new RegExp(
          Buffer.from(name).toString('base64').replaceAll('+', '[+-]').replaceAll('/', '[/_]').replace(/=+$/, ''),
        ),
      );
    }
  });
});
