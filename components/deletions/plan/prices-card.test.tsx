// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { PricesCard } from './prices-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const price = (mode: 'unlink' | 'drain', seconds: number) => ({
  ...{ mode, seconds: { from: 1, to: seconds }, serverMs: { from: 1, to: 1 } },
  ...{ replicationBytes: { from: 1, to: 2 }, archiveBytes: { from: 0, to: 0 } },
});

it('hands out what the plan costs in the order that it is shown in', async () => {
  stubApi({});
  const prices = [price('unlink', 3), price('drain', 90)];
  const plan = { id: 'p1', options: { mode: 'unlink' }, prices } as unknown as DeletionPlan;
  showPage(<PricesCard plan={plan} />, { path: '/instances/i1/deletions/p1' });
  const head = screen.getAllByRole('columnheader')[2]!;
  fireEvent.click(within(head).getByRole('button'));
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);
  expect(rows).toEqual(['drain', 'unlink']);
  const { lines } = await savedTable('Export this list: Modes and their estimated cost');
  expect(lines.slice(1)).toEqual([expect.stringContaining('1 m 30 s'), expect.stringContaining('3 s')]);
});
