import { afterEach, expect, it, vi } from 'vitest';
import { RetryBackoff } from './retry-backoff';

afterEach(() => {
  vi.useRealTimers();
});

it('reports since when it fails, begins anew after progress, and asks a person in the end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const begun = Date.now();
  let since = 0;
  const backoff = new RetryBackoff({
    // Ends each wait at once.
    whenStopRequested: Promise.resolve(),
    retryForMs: 120_000,
    createGiveUpError: () => new Error('asks a person'),
    report: (reason) => {
      since = reason.since - begun;
    },
  });
  const waitAfter = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await backoff.wait({ code: 'connection_lost', params: {} });
    return since;
  };
  expect([await waitAfter(0), await waitAfter(5000), await waitAfter(60_000)]).toEqual([0, 0, 0]);
  backoff.reset();
  expect([await waitAfter(60_000), await waitAfter(60_000)]).toEqual([125_000, 125_000]);
  await expect(waitAfter(60_000)).rejects.toThrow('asks a person');
});
