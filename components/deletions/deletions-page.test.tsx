// @vitest-environment happy-dom
import { cleanup, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { DeletionsPage } from './deletions-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const deletion = (id: string, removedElements: number) => ({
  plan: {
    ...{ id, instanceId: 'i1', instanceName: 'shop', task: 'delete', createdAt: 1, createdBy: 'ada' },
    ...{ totals: { keys: 1 }, selection: { by: 'filter', filter: { prefix: `${id}:` } } },
  },
  ...{ state: 'done', missing: [], needsApproval: false, approval: null, job: null, action: null, counts: {} },
  ...{ removedElements, archiveBytes: 0, undoable: 0, undoUntil: null },
  ...{ itemsRemovedAt: null, startedAt: 1, endedAt: 2 },
});

it('hands out the list in the order that it is shown in', async () => {
  stubApi({ '/api/deletions': { deletions: [deletion('a', 5), deletion('b', 9)] } });
  showPage(<DeletionsPage instanceId="i1" />, { path: '/instances/i1/deletions', search: '?sort=-removed' });
  const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);
  await waitFor(() => expect(rows()).toEqual(['b', 'a']));
  const { lines } = await savedTable('Export this list: Plans and deletions');
  expect(lines.slice(1)).toEqual([expect.stringContaining('b:'), expect.stringContaining('a:')]);
});
