import { afterEach, expect, it, vi } from 'vitest';
import { RetryBackoff } from './retry-backoff';

afterEach(() => {
  vi.useRealTimers();
});

it('keeps its place for a blip, gives it away while it waits longer, and asks a person in the end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let without = 0;
  const backoff = new RetryBackoff({
    // Ends each wait at once.
    stopped: Promise.resolve(),
    retryForMs: 120_000,
    givingUp: () => new Error('asks a person'),
    report: () => {},
    withoutPlace: (wait) => {
      without++;
      return wait();
    },
  });
  const waitAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await backoff.wait({ code: 'connection_lost', params: {} });
    return without;
  };
  expect([await waitAfter(0), await waitAfter(5000), await waitAfter(4999)]).toEqual([0, 0, 0]);
  expect([await waitAfter(1), await waitAfter(60_000)]).toEqual([1, 2]);
  backoff.reset();
  expect(await waitAfter(60_000)).toBe(2);
  expect(await waitAfter(60_000)).toBe(3);
  await expect(waitAfter(60_000)).rejects.toThrow('asks a person');
});
