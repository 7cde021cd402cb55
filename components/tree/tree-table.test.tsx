// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { DataColumn } from '@/components/data-table/data-column';
import type { TreeReport } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { type ActiveNode, createActiveNode } from './active/active-node';
import { useNodeSelection } from './selection/use-node-selection';
import type { TreeItem } from './tree-item';
import { TreeTable } from './tree-table';
import { useTreeState } from './use-tree-state';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const children = ['cart', 'lock', 'user'].map((segment) => ({
  ...{ segment, path: `${segment}:`, endPath: `${segment}:`, branchKeys: 2, leafKeys: 0, folded: null, types: {} },
}));
const report = {
  ...{ path: '', depth: 0, delimiter: ':', sort: '-bytes', keys: 6, bytes: 0, bytesUnknown: 6, children },
  ...{ rest: null, childCount: 3, offset: 0, nextCursor: null },
} as unknown as TreeReport;
const pages = { page: 0, cursor: undefined, first: () => {}, next: () => {}, back: () => {} } as never;

function show(active: ActiveNode, below?: TreeReport) {
  const drawn: string[] = [];
  const figures: DataColumn<TreeItem>[] = [
    {
      id: 'keys',
      header: 'Keys',
      cell: (item) => {
        if (item.kind === 'node') drawn.push(item.node.segment);
        return '';
      },
    },
  ];
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [] },
    '/api/snapshots/s1/reports/tree': below && { report: below },
  });
  const onOpen = () => {};
  const Level = () => (
    <TreeTable
      {...{ instanceId: 'i1', snapshotId: 's1', report, figures, active, onOpen, pages }}
      isWhole={false}
      stale={false}
      state={useTreeState()}
      ticked={useNodeSelection('s1', ':', '')}
    />
  );
  showPage(<Level />);
  return () => drawn.splice(0).sort();
}

const row = (name: string) => screen.getByRole('button', { name: `${name} :` }).closest('tr')!;
const name = (of: string) => screen.getByRole('button', { name: `${of} :` });
const stops = () =>
  screen.getAllByRole('row').flatMap((one) => {
    const reached = one.querySelector('[data-node][tabindex="0"]');
    return reached ? [reached.getAttribute('data-node')] : [];
  });

it('draws two rows anew when the pointer goes from one to the other, and marks what the treemap marks', () => {
  const active = createActiveNode();
  const taken = show(active);
  taken();
  fireEvent.mouseEnter(row('cart'));
  expect([taken(), active.getPath()]).toEqual([['cart'], 'cart:']);
  fireEvent.mouseLeave(row('cart'));
  fireEvent.mouseEnter(row('user'));
  expect(taken()).toEqual(expect.not.arrayContaining(['lock']));
  expect(row('user').classList.contains('bg-hover')).toBe(true);
  act(() => active.point('lock:'));
  expect(['cart', 'lock', 'user'].map((one) => row(one).classList.contains('bg-hover'))).toEqual([false, true, false]);
  // Tab reaches the row that had the keyboard focus, not the one that was pointed at.
  expect(stops()).toEqual(['cart:']);
});

it('goes from row to row by arrow keys, drawing the one it leaves and the one it comes to', () => {
  const active = createActiveNode();
  const taken = show(active);
  act(() => name('cart').focus());
  taken();
  fireEvent.keyDown(name('cart'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(name('lock'));
  expect(taken()).toEqual(['cart', 'lock']);
  expect(stops()).toEqual(['lock:']);
  // Whichever control of a row has the focus, Tab stays in that row.
  act(() =>
    within(row('user'))
      .getByRole('button', { name: /^Actions for/ })
      .focus(),
  );
  expect(stops()).toEqual(['user:']);
});

it('gets past the key of a branch that is named as the branch is', async () => {
  const own = { ...children[0]!, segment: '', branchKeys: 0, leafKeys: 1 };
  const other = { ...children[0]!, segment: 'a', path: 'cart:a:', endPath: 'cart:a:' };
  show(createActiveNode(), { ...report, path: 'cart:', children: [own, other], childCount: 2 } as TreeReport);
  act(() => name('cart').focus());
  fireEvent.keyDown(name('cart'), { key: 'ArrowRight' });
  await screen.findByRole('button', { name: 'a :' });
  const walk = (key: string) => {
    fireEvent.keyDown(document.activeElement!, { key });
    return (document.activeElement as HTMLElement).dataset.node;
  };
  expect(['ArrowDown', 'ArrowDown', 'ArrowDown'].map(walk)).toEqual(['cart:a:', 'lock:', 'user:']);
  expect(['ArrowUp', 'ArrowUp', 'ArrowUp'].map(walk)).toEqual(['lock:', 'cart:a:', 'cart:']);
});
