// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useKeptState } from './use-kept-state';

afterEach(cleanup);
const NONE: readonly string[] = [];
const show = (name: string) => renderHook(({ of }) => useKeptState(of, NONE), { initialProps: { of: name } });

it('is there again for whoever comes back, under its name only', () => {
  const first = show('a');
  act(() => first.result.current[1](['x']));
  act(() => first.result.current[1]((old) => [...old, 'y']));
  first.rerender({ of: 'b' });
  expect(first.result.current[0]).toEqual([]);
  first.unmount();
  expect(show('a').result.current[0]).toEqual(['x', 'y']);
  expect(show('b').result.current[0]).toEqual([]);
});

it('forgets what is long ago', () => {
  const first = show('old');
  act(() => first.result.current[1](['x']));
  for (let i = 0; i < 50; i++) {
    const { result, unmount } = show(`other ${i}`);
    act(() => result.current[1](['x']));
    unmount();
  }
  first.unmount();
  expect(show('old').result.current[0]).toEqual([]);
});
