// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import type { TreeNode } from '@/lib/model/reports/reports';
import { messages } from '@/messages';
import { type TreeItem, toShownNode } from '../tree-item';
import { useNodeSelection } from './use-node-selection';

afterEach(cleanup);

const item = (path: string, more: Partial<TreeNode> = {}): TreeItem => ({
  kind: 'node',
  node: toShownNode(
    {
      ...{ path, endPath: path, segment: path, branchKeys: path.endsWith(':') ? 2 : 0, leafKeys: 0 },
      ...more,
    } as TreeNode,
    { path: '', delimiter: ':' },
  ),
});

function start(search: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <NuqsTestingAdapter searchParams={search}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        {children}
      </IntlProvider>
    </NuqsTestingAdapter>
  );
  return renderHook(({ about }) => useNodeSelection('s1', ':', about), { wrapper, initialProps: { about: 'a' } });
}

it('plans what the tree counts in ticked nodes, under the filter of the page without its path', () => {
  const { result } = start('?prefix=shop%3A&type=hash');
  expect(result.current.selection).toBeNull();
  act(() =>
    result.current.table.onToggle([item('shop:cart:', { leafKeys: 1 }), item('shop:x', { leafKeys: 1 })], true),
  );
  expect(result.current.selection).toEqual({
    by: 'filter',
    snapshotId: 's1',
    filter: { type: ['hash'] },
    nodes: [
      { path: 'shop:cart:', end: false },
      { path: 'shop:cart', end: true },
      { path: 'shop:x', end: true },
    ],
  });
});

it('names a chain by the node that it begins with', () => {
  const { result } = start('');
  act(() => result.current.table.onToggle([item('index:', { endPath: 'index:sku:' })], true));
  expect(result.current.nodes.map((node) => node.path)).toEqual(['index:sku:']);
  expect(result.current.selection).toMatchObject({ nodes: [{ path: 'index:', end: false }] });
});

it('lets ticks go once other keys are asked about, and plans no more than one plan takes', () => {
  const { result, rerender } = start('');
  act(() => result.current.table.onToggle([item('a:')], true));
  rerender({ about: 'b' });
  expect([result.current.nodes, result.current.selection]).toEqual([[], null]);
  const many = Array.from({ length: result.current.max + 1 }, (_, i) => item(`n${i}:`));
  act(() => result.current.table.onToggle(many, true));
  expect([result.current.nodes.length, result.current.selection]).toEqual([many.length, null]);
  act(() => result.current.table.onToggle(many.slice(0, 1), false));
  expect(result.current.selection).not.toBeNull();
});

it('counts the keys of a node once, also if a node above it is ticked', () => {
  const { result } = start('');
  const sized = (path: string, keys: number, more = {}) =>
    item(path, { keys, bytes: keys * 10, bytesUnknown: 1, ...more });
  act(() => result.current.table.onToggle([sized('a:', 5), sized('a:b:', 3), sized('ab:', 2), sized('a:x', 1)], true));
  expect(result.current.totals).toEqual({ keys: 7, bytes: 70, bytesUnknown: 2 });
});
