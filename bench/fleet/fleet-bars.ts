import type { FleetResult } from './run-fleet';

/** What a run must not exceed. */
export const FLEET_BARS = { takeoverSeconds: 35, claimP95Ms: 100, eventDelayP95Ms: 1000, pageP95Ms: 150 } as const;

/** What a run has missed, in words; empty: nothing. */
export function missedFleetBars(result: FleetResult): string[] {
  const missed: string[] = [];
  for (const name of ['lost', 'heldByTwo', 'repeatedEffects'] as const)
    if (result[name] > 0) missed.push(`${name}: ${result[name]}`);
  for (const name of ['takeoverSeconds', 'claimP95Ms', 'eventDelayP95Ms', 'pageP95Ms'] as const) {
    const value = result[name];
    if (value === null) missed.push(`${name}: not measured`);
    else if (value > FLEET_BARS[name]) missed.push(`${name}: ${value} (bar ${FLEET_BARS[name]})`);
  }
  return missed;
}
