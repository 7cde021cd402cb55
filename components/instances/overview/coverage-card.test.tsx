// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Coverage, SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { showPage } from '@/test/show-page';
import { CoverageCard } from './coverage-card';

afterEach(cleanup);

const COVERAGE: Coverage = {
  ...{ keysRead: 9, keysAtStart: 20, keysAtEnd: null, vanished: 0, duplicatesRemoved: null },
  unknownFacts: { type: 0, ttl: 0, bytes: 0, length: 0, encoding: 0, idle: 0 },
  ...{ lengthNotAsked: 0, oversizeReplies: 0, restarts: 0, skipped: [], commandsDenied: [] },
  ...{ idleFrom: 'master', partial: true, partialReasons: [] },
};

it.each([
  ['Incomplete', true, null],
  ['Part', false, 'session:'],
  ['Complete', false, null],
])('says %s', (word, partial, match) => {
  const manifest = { coverage: { ...COVERAGE, partial }, options: { databases: null, match }, readingEndedAt: null };
  showPage(<CoverageCard manifest={manifest as unknown as SnapshotManifest} />);
  const words = ['Incomplete', 'Part', 'Complete'].filter((one) => screen.queryByText(one) !== null);
  expect(words).toEqual([word]);
});

it('says from when to when it was read, if that took hours', () => {
  const startedAt = Date.parse('2026-05-01T03:10:00Z');
  const show = (hours: number) => {
    const options = { databases: null, match: null };
    const manifest = { coverage: COVERAGE, options, startedAt, readingEndedAt: startedAt + hours * 3_600_000 };
    showPage(<CoverageCard manifest={manifest as unknown as SnapshotManifest} />);
    return screen.queryByText('Keys were read between') !== null;
  };
  expect(show(1)).toBe(false);
  cleanup();
  expect(show(22)).toBe(true);
});
