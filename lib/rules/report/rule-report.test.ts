import { expect, it } from 'vitest';
import { pickOffsetPage } from './rule-report';

const all = Array.from({ length: 7 }, (_, i) => i);

it('goes through all of a list once, and ends', () => {
  const seen: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = pickOffsetPage(all, { limit: 3, ...(cursor !== undefined && { cursor }) }, 50);
    seen.push(...page.rows);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(all);
  expect(pickOffsetPage(all, {}, 50)).toEqual({ rows: all, nextCursor: null });
  expect(pickOffsetPage(all, { limit: 7 }, 50).nextCursor).toBeNull();
  expect(pickOffsetPage(all, { cursor: '99' }, 50)).toEqual({ rows: [], nextCursor: null });
});

it('refuses what is no cursor of it', () => {
  for (const cursor of ['', '0', '-1', '1e3', 'eyJzIjoxfQ', '99999999999'])
    expect(() => pickOffsetPage(all, { cursor }, 50), cursor).toThrow(/cursor does not belong/);
});
