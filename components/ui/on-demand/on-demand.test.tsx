// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { onDemand } from './on-demand';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('is loaded once, when it is needed', async () => {
  const load = vi.fn(async () => 'parts');
  const useParts = onDemand(load);
  const first = renderHook(({ needed }) => useParts(needed), { initialProps: { needed: false } });
  expect(load).not.toHaveBeenCalled();
  first.rerender({ needed: true });
  await act(async () => {});
  expect(first.result.current).toBe('parts');
  expect(renderHook(() => useParts(true)).result.current).toBe('parts');
  expect(load).toHaveBeenCalledOnce();
});

it('a load that failed is tried again while somebody needs it, and no longer', async () => {
  vi.useFakeTimers();
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('away'));
  const useParts = onDemand(load);
  const open = renderHook(() => useParts(true));
  await act(() => vi.advanceTimersByTimeAsync(4_100));
  expect(open.result.current).toBeNull();
  expect(load).toHaveBeenCalledTimes(3);
  load.mockResolvedValue('parts');
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(open.result.current).toBe('parts');

  const gone = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('away'));
  const useGone = onDemand(gone);
  renderHook(() => useGone(true)).unmount();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(gone).toHaveBeenCalledOnce();
});
