import type { SoakResult } from './run-soak';

type Measured = Pick<
  SoakResult,
  'rssSlopeMiBPerMinute' | 'pageP95Ms' | 'deadPageP95Ms' | 'invariantsBroken' | 'unhandledRejections' | 'broken'
>;

/** What a run must not exceed; the memory of a shorter one is still warming up. */
export const SOAK_BARS = { slopeMiBPerMinute: 1, pageP95Ms: 300, fromMinutes: 10 } as const;

/** What a run has missed, in words; empty: nothing. `minutes`: as asked for. */
export function missedBars(result: Measured, minutes: number): string[] {
  const missed: string[] = [];
  if (result.invariantsBroken > 0) missed.push(`invariants broken: ${result.broken.join('; ')}`);
  if (result.unhandledRejections > 0) missed.push(`unhandled rejections: ${result.unhandledRejections}`);
  if (result.pageP95Ms === null) missed.push('no page was answered');
  if (minutes < SOAK_BARS.fromMinutes) return missed;
  const { rssSlopeMiBPerMinute: slope, pageP95Ms: p95 } = result;
  if (slope === null) missed.push('too few samples of the memory');
  else if (slope >= SOAK_BARS.slopeMiBPerMinute)
    missed.push(`memory grows by ${slope} MiB a minute (bar ${SOAK_BARS.slopeMiBPerMinute})`);
  if (p95 !== null && p95 >= SOAK_BARS.pageP95Ms)
    missed.push(`95 % of pages within ${p95} ms (bar ${SOAK_BARS.pageP95Ms})`);
  const { deadPageP95Ms: dead } = result;
  if (dead === null) missed.push('no page of the dead instance was answered');
  else if (dead >= SOAK_BARS.pageP95Ms)
    missed.push(`95 % of pages of a dead instance within ${dead} ms (bar ${SOAK_BARS.pageP95Ms})`);
  return missed;
}
