// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Coverage } from '@/lib/model/snapshots/snapshot';
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
  ['Incomplete', true],
  ['Complete', false],
])('says %s', (word, partial) => {
  showPage(<CoverageCard coverage={{ ...COVERAGE, partial }} />);
  const words = ['Incomplete', 'Complete'].filter((one) => screen.queryByText(one) !== null);
  expect(words).toEqual([word]);
});
