import { expect, test } from './fixtures';
import { runSoak } from './soak/run-soak';

/** What is promised whatever happens. */
test('under everything at once no invariant breaks', async () => {
  test.setTimeout(900_000);
  // Long enough that each fault comes once, and chance decides about some more.
  const result = await runSoak({ minutes: 1.25 });
  expect(result.broken).toEqual([]);
  expect(result).toMatchObject({ invariantsBroken: 0, unhandledRejections: 0 });
  expect(result.requests).toBeGreaterThan(100);
  expect(result.keysDeleted).toBeGreaterThan(0);
  expect(result.keysRestored).toBe(result.keysDeleted);
  for (const [fault, times] of Object.entries(result.faults)) expect(times, fault).toBeGreaterThan(0);
});
