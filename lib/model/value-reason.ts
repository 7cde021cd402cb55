import { z } from 'zod';
import { MAX_VALUE_REASON, MIN_VALUE_REASON } from './is-value-reason';

/** Why somebody reads values of an instance; on production there is no reading without. Stands in the audit log. */
export const ValueReason = z.string().trim().min(MIN_VALUE_REASON).max(MAX_VALUE_REASON);

/** What of an instance decides whether bytes of values may be read of it. */
export interface ValueRules {
  production: boolean;
  valuesForbidden: boolean;
}

/** null = may be read with this reason. */
export function refusesValues(rules: ValueRules, reason: string | null): 'values_forbidden' | 'reason_needed' | null {
  if (rules.valuesForbidden) return 'values_forbidden';
  return rules.production && !ValueReason.safeParse(reason).success ? 'reason_needed' : null;
}

/** Body of POST /api/instances/:id/keys/:k/value. */
export const ValueRequest = z.object({
  db: z.number().int().min(0).max(65_535).default(0),
  reason: ValueReason.nullish(),
});
