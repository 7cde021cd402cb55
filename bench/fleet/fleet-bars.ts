import type { FleetResult } from './fleet-result';

/** Limits that a run must not exceed. */
export const FLEET_BARS = {
  takeoverSeconds: 35,
  takeoverOtherHostSeconds: 35,
  claimP95Ms: 100,
  eventDelayP95Ms: 1000,
  pageP95Ms: 150,
} as const;

/**
 * Limits for one process on SQLite, which looks for work twice a second. The figures of its pages are reported without
 * a limit.
 */
const EMBEDDED_BARS = ['takeoverSeconds'] as const;

/** Figures that must be 0; with separate web servers no event and no page may be missing either. */
const NONE = ['lost', 'heldByTwo', 'repeatedEffects'] as const;
const NONE_OF_SERVERS = ['eventsMissed', 'pageFailures'] as const;

/** Returns one sentence for each missed limit; empty if none is missed. */
export function missedFleetBars(result: FleetResult): string[] {
  const missed: string[] = [];
  for (const name of result.embedded ? NONE : [...NONE, ...NONE_OF_SERVERS])
    if (result[name] > 0) missed.push(`${name}: ${result[name]}`);
  if (result.runs === 0) missed.push('runs: none noted');
  const bars = result.embedded ? EMBEDDED_BARS : (Object.keys(FLEET_BARS) as (keyof typeof FLEET_BARS)[]);
  for (const name of bars) {
    const value = result[name];
    if (value === null) missed.push(`${name}: not measured`);
    else if (value > FLEET_BARS[name]) missed.push(`${name}: ${value} (bar ${FLEET_BARS[name]})`);
  }
  return missed;
}
