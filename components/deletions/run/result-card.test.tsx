// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { WatchedDeletion } from '@/components/data/queries/use-deletions';
import { showPage, stubApi } from '@/test/show-page';
import { ResultCard } from './result-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(mode: string, more: object) {
  stubApi({});
  const plan = { id: 'd1', instanceId: 'i1', task: 'delete', totals: { keys: 2, byMode: [{ mode, keys: 2 }] } };
  const times = { startedAt: 0, endedAt: 1000, undoUntil: null };
  const deletion = { plan, job: null, archiveBytes: 0, removedElements: 0, undoable: 2, ...times, ...more };
  showPage(<ResultCard deletion={deletion as unknown as WatchedDeletion} onUndo={() => {}} />);
}

it('of keys in quarantine it counts keys, because none of their elements is deleted', () => {
  show('quarantine', { counts: { quarantined: 2 } });
  expect(screen.getByText('Keys in quarantine')).toBeTruthy();
  expect(screen.queryByText('Elements deleted')).toBeNull();
  // Four figures fill the row.
  expect(screen.getByText('Bytes sent')).toBeTruthy();
});

it('of keys that were deleted after their quarantine it counts the elements', () => {
  show('quarantine', { counts: { done: 2 }, removedElements: 7 });
  expect(screen.getByText('Elements deleted')).toBeTruthy();
});
