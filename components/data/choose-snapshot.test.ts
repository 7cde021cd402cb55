import { expect, it } from 'vitest';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { chooseSnapshot } from './choose-snapshot';

const made = (id: string, startedAt: number, more: Partial<SnapshotSummary> = {}) =>
  ({ id, startedAt, state: 'sealed', partial: false, ...more }) as SnapshotSummary;
const LIVE = made('live', 5, { state: 'live' });
const PART = made('part', 4, { isPart: true });
const OLD_PART = made('oldPart', 3, { isPart: true });
const WHOLE = made('whole', 2);
const OLD = made('old', 1);

it('shows a part of the keyspace only by name, or where nothing else is finished', () => {
  const chosen = (snapshots: SnapshotSummary[], id: string | null = null) => chooseSnapshot(snapshots, id)?.id ?? null;
  expect(chosen([LIVE, PART, WHOLE, OLD])).toBe('whole');
  expect(chosen([LIVE, PART, WHOLE, OLD], 'part')).toBe('part');
  expect(chosen([LIVE, PART, OLD_PART])).toBe('part');
  expect(chosen([LIVE])).toBe('live');
  expect(chosen([made('failed', 1, { state: 'failed' })])).toBeNull();
});
