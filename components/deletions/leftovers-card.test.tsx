// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Leftover } from '@/lib/model/deletions/leftovers';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { LeftoversCard } from './leftovers-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SEARCH = {
  ...{ jobId: 'j1', state: 'succeeded', startedAt: 1, endedAt: 2, keysRead: 5, skipped: [], cut: false },
};
const leftover = (k: string, bytes: number): Leftover => ({
  ...{ k, name: k, db: 0, address: 'a:1', kind: 'tombstone', deletionId: null, seq: null, type: 'hash', bytes },
  ...{ owned: false, original: null },
});

it('hands out what was found in the order that it is shown in', async () => {
  const leftovers = [leftover('small', 1), leftover('large', 9)];
  stubApi({ '/api/instances/i1/leftovers': { search: SEARCH, leftovers } });
  showPage(<LeftoversCard instanceId="i1" />, { path: '/instances/i1/deletions' });
  const head = await screen.findByRole('columnheader', { name: 'Size' });
  fireEvent.click(within(head).getByRole('button'));
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);
  expect(rows).toEqual(['a:1/0/large', 'a:1/0/small']);
  expect((await savedTable('Export this list: Internal keys on the servers')).lines).toEqual([
    'Name,Size (bytes),State',
    expect.stringMatching(/^large,9,/),
    expect.stringMatching(/^small,1,/),
  ]);
});

it('offers no file where nothing was found', async () => {
  stubApi({ '/api/instances/i1/leftovers': { search: SEARCH, leftovers: [] } });
  showPage(<LeftoversCard instanceId="i1" />, { path: '/instances/i1/deletions' });
  await screen.findByText(/None found/);
  expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull();
});
