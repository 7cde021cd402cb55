// @vitest-environment happy-dom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FilterChipsRow } from '@/components/reports/filter/filter-chips-row';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { TreeNode } from '@/lib/model/reports/reports';
import { aroundPage, stubApi } from '@/test/show-page';
import { NodeName } from './node-name';
import { useNodeSelection } from './selection/use-node-selection';
import { toShownNode } from './tree-item';
import { useNodeHref } from './use-node-href';
import { useTreeState } from './use-tree-state';

/** A level that ends within a segment (`user:1`); its ids fold into a form that matches more of them. */
beforeEach(() => void stubApi({ '/api/instances/i1/snapshots': { snapshots: [] } }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const makeNode = (segment: string, path: string, more: Partial<TreeNode> = {}) =>
  ({ ...{ segment, path, endPath: path, folds: true, folded: 111, branchKeys: 2, leafKeys: 0 }, ...more }) as TreeNode;
const USERS = makeNode('{int}', 'user:{int}:');
const at = (search: string) => ({ wrapper: aroundPage({ path: '/instances/i1/tree', search }).Around });

it('is gone below without widening it', () => {
  const { result } = renderHook(() => ({ state: useTreeState(), ...useFilter() }), at('?prefix=user:1'));
  act(() => result.current.state.go('user:{int}:'));
  expect(result.current.filter).toEqual({ prefix: 'user:1', template: 'user:{int}:' });
  act(() => result.current.state.go('user:{int}:cart:'));
  expect(result.current.filter).toEqual({ prefix: 'user:1', template: 'user:{int}:cart:' });
  act(() => result.current.state.up());
  expect(result.current.filter).toEqual({ prefix: 'user:1', template: 'user:{int}:' });
  act(() => result.current.state.up());
  expect(result.current.filter).toEqual({ prefix: 'user:' });
});

it('leads to other pages about the keys that its nodes count', () => {
  const { to } = renderHook(() => useNodeHref('i1'), at('?prefix=user:1')).result.current;
  expect(decodeURIComponent(to('keys', USERS))).toBe('/instances/i1/keys?prefix=user:1&template=user:{int}:');
});

it('plans these keys and no others', () => {
  const { result } = renderHook(() => useNodeSelection('s1', ':', ''), at('?prefix=user:1&type=hash'));
  act(() =>
    result.current.table.onToggle([{ kind: 'node', node: toShownNode(USERS, { path: '', delimiter: ':' }) }], true),
  );
  expect(result.current.selection).toMatchObject({
    filter: { prefix: 'user:1', type: ['hash'] },
    nodes: [{ path: 'user:{int}:', end: false }],
  });
});

it('says in its rows what all their names begin with', () => {
  const named = (level: string, node: TreeNode) => {
    const shown = toShownNode(node, { path: level, delimiter: ':' });
    const { container } = render(
      <NodeName node={shown} delimiter=":" focusable onOpen={() => {}} onValues={() => {}} />,
      at(''),
    );
    const { textContent } = container;
    cleanup();
    return textContent;
  };
  expect(named('user:1', USERS)).toBe('1…{int}:×111');
  expect(named('user:', USERS)).toBe('{int}:×111');
  expect(named('job_2', makeNode('job_{int}', 'job_{int}:'))).toBe('job_2…job_{int}:×111');
  expect(named('job', makeNode('job_{int}', 'job_{int}:'))).toBe('job_{int}:×111');
  expect(named('user:1', makeNode('17', 'user:17:', { folds: false, folded: null }))).toBe('17:');
});

it('is named beside the path that it narrows, with a way out', () => {
  const prefixes = (search: string) => {
    render(<FilterChipsRow hidePrefix />, at(search));
    const found = screen.queryAllByRole('button', { name: 'Remove filter Prefix' }).length;
    cleanup();
    return found;
  };
  expect(prefixes('?prefix=user:1&template=user:{int}:')).toBe(1);
  expect([prefixes('?prefix=user:1'), prefixes('?template=user:{int}:')]).toEqual([0, 0]);
});
