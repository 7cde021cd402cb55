// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { showPage } from '@/test/show-page';
import { PartialAlert } from './partial-alert';

afterEach(cleanup);

const manifest = (options: object, coverage: object) =>
  ({
    instanceId: 'i1',
    options: { databases: null, match: null, ...options },
    coverage: { partial: false, skipped: [], partialReasons: [], ...coverage },
  }) as unknown as SnapshotManifest;

it('says which node was not read, how much of the keyspace that is, and where its address is confirmed', () => {
  const skipped = [{ address: '10.0.0.2:6379', db: null, reason: 'not_confirmed', slots: 8192 }];
  showPage(<PartialAlert manifest={manifest({}, { partial: true, skipped })} />);
  expect(screen.getByRole('status').textContent).toMatch(/10\.0\.0\.2:6379 was not read: 8,192 slots, 50\.0% of all/);
  expect(screen.getByRole('link', { name: /Confirm/ }).getAttribute('href')).toBe('/instances/i1/server');
});

it('offers no address to confirm where a node only does not answer', () => {
  const skipped = [{ address: '10.0.0.2:6379', db: null, reason: 'redis_unreachable' }];
  showPage(<PartialAlert manifest={manifest({}, { partial: true, skipped })} />);
  expect(screen.getByRole('status').textContent).toContain('10.0.0.2:6379 was not read.');
  expect(screen.queryByRole('link')).toBeNull();
});

it('says of a scan of one prefix, escaped, that it is a part', () => {
  showPage(<PartialAlert manifest={manifest({ match: 'a\n:' }, {})} />);
  expect(screen.getByRole('status').textContent).toMatch(/Part of the keyspace.*Only keys with the prefix a\\n:/);
  expect(screen.getAllByRole('status')).toHaveLength(1);
});
