// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { refused, showPage, stubApi } from '@/test/show-page';
import { SelectionBar } from './selection-bar';
import { useSelection } from './use-selection';

vi.mock('./lazy-plan-dialog', async () => ({ LazyPlanDialog: (await import('./plan-dialog')).PlanDialog }));
// Loaded here because compiling it may take long on a busy machine.
beforeAll(() => import('@/components/ui/overlays/parts/dialog-parts'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ROW = { k: 'Y2FydA', name: 'cart', db: 0, bytes: 2048 } as KeyRow;

function List({ shown = [ROW] }: { shown?: KeyRow[] }) {
  const selection = useSelection('s1');
  return (
    <>
      <button type="button" onClick={() => selection.table.onToggle([ROW], true)}>
        tick
      </button>
      <SelectionBar instanceId="i1" shown={shown} {...selection} />
    </>
  );
}

async function planTicked(path: string, answer: object) {
  stubApi({ '/api/deletions/plans': answer });
  const shown = showPage(<List />, { path });
  fireEvent.click(screen.getByRole('button', { name: 'tick' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Plan deletion of 1 key/ }));
  await screen.findByRole('button', { name: 'Create plan' });
  act(() => {
    fireEvent.submit(document.querySelector('form')!);
  });
  return shown;
}

it('lets the ticks go once the plan of them is made, also for who returns to the list', async () => {
  const { push, unmount } = await planTicked('/instances/i1/keys', { plan: { id: 'p1' } });
  await waitFor(() => expect(push).toHaveBeenCalledWith('/instances/i1/deletions/p1'));
  await waitFor(() => expect(screen.queryByText('1 key selected · 2.00 KiB')).toBeNull());
  unmount();
  showPage(<List />, { path: '/instances/i1/keys' });
  expect(screen.queryByText('1 key selected · 2.00 KiB')).toBeNull();
});

it('keeps them where no plan came of it', async () => {
  const { unmount, push } = await planTicked('/instances/i1/bigkeys', () => refused('internal'));
  await screen.findByRole('alert');
  expect(push).not.toHaveBeenCalled();
  unmount();
  showPage(<List />, { path: '/instances/i1/bigkeys' });
  expect(screen.getByText('1 key selected · 2.00 KiB')).toBeTruthy();
});

it('says how many of the ticked rows are not in sight', () => {
  const { rerender } = showPage(<List />, { path: '/instances/i1/bigkeys-2' });
  fireEvent.click(screen.getByRole('button', { name: 'tick' }));
  expect(screen.getByRole('region').getAttribute('aria-label')).toBe('1 key selected · 2.00 KiB');
  rerender(<List shown={[{ ...ROW, k: 'b3RoZXI' }]} />);
  expect(screen.getByRole('region').getAttribute('aria-label')).toBe('1 key selected, 1 not on this page · 2.00 KiB');
});
