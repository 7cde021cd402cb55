import { runSoak } from '../bench/soak/run-soak';
import { expect, test } from './fixtures';

/** The short form of `npm run bench -- soak`: what is promised whatever happens; the figures need longer. */
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
