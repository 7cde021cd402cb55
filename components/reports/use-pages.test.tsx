// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { aroundPage } from '@/test/show-page';
import { usePages } from './use-pages';

afterEach(cleanup);

function list(path: string, first: { of: string | null; question: string }) {
  const drawn: (string | undefined)[] = [];
  const shown = renderHook(
    ({ of, question }: { of: string | null; question: string }) => {
      const pages = usePages(of, question);
      drawn.push(pages.cursor);
      return pages;
    },
    { initialProps: first, wrapper: aroundPage({ path }).Around },
  );
  return { ...shown, drawn, next: (cursor: string) => act(() => shown.result.current.next(cursor)) };
}

it('begins at the first page when it is sorted another way and then as before', () => {
  const { result, rerender, next, drawn } = list('/keys', { of: 's1', question: '-bytes' });
  next('b2');
  next('b3');
  expect([result.current.cursor, result.current.page]).toEqual(['b3', 2]);
  rerender({ of: 's1', question: 'name' });
  expect([result.current.cursor, result.current.page]).toEqual([undefined, 0]);
  next('n2');
  rerender({ of: 's1', question: '-bytes' });
  expect([result.current.cursor, result.current.page]).toEqual([undefined, 0]);
  // Nothing of the former page was rendered, so nothing of it was requested.
  expect(drawn.slice(drawn.indexOf('n2'))).not.toContain('b3');
  next('b2 again');
  expect(result.current.cursor).toBe('b2 again');
});

it('goes on where somebody was who returns, also when the snapshot is known a moment later', () => {
  const left = list('/tree', { of: 's1', question: '-bytes' });
  left.next('b2');
  left.unmount();
  const { result, rerender } = list('/tree', { of: null, question: '-bytes' });
  expect(result.current.page).toBe(0);
  rerender({ of: 's1', question: '-bytes' });
  expect([result.current.cursor, result.current.page]).toEqual(['b2', 1]);
});
