import { expect, test } from './fixtures';
import { runSoak } from './soak/run-soak';

/** Checks what must hold whatever happens. */
test('under everything at once no invariant breaks', async () => {
  test.setTimeout(900_000);
  // The run is long enough for each fault to occur once, and for some more at random.
  const result = await runSoak({ minutes: 1.25 });
  expect(result.broken).toEqual([]);
  expect(result).toMatchObject({ invariantsBroken: 0, unhandledRejections: 0 });
  expect(result.requests).toBeGreaterThan(100);
  expect(result.keysDeleted).toBeGreaterThan(0);
  expect(result.keysRestored).toBe(result.keysDeleted);
  for (const [fault, times] of Object.entries(result.faults)) expect(times, fault).toBeGreaterThan(0);
});
