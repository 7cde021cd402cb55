// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { BigkeysPage } from './bigkeys-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['of the snapshot', '', 'No key of this snapshot exceeds the thresholds.'],
  ['under a filter', '?prefix=shop%3A', 'No key under this filter exceeds the thresholds.'],
])('says that no key %s is a bigkey', async (_of, search, text) => {
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/bigkeys': { asOf: 1, report: { total: 0, unknown: 0, rows: [] } },
  });
  showPage(<BigkeysPage instanceId="i1" />, { path: '/instances/i1/bigkeys', search });
  expect(await screen.findByText(text)).toBeTruthy();
});
