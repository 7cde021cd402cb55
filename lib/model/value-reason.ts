import { z } from 'zod';
import { MAX_VALUE_REASON, MIN_VALUE_REASON } from './is-value-reason';

/** Why a person reads values of an instance; on production it is required. It is recorded in the audit log. */
export const ValueReason = z.string().trim().min(MIN_VALUE_REASON).max(MAX_VALUE_REASON);

/** The fields of an instance that decide whether bytes of its values may be read. */
export interface ValueRules {
  production: boolean;
  valuesForbidden: boolean;
}

/** Returns why reading is refused; null = it is allowed with this reason. */
export function findValueRefusal(
  rules: ValueRules,
  reason: string | null,
): 'values_forbidden' | 'reason_needed' | null {
  if (rules.valuesForbidden) return 'values_forbidden';
  return rules.production && !ValueReason.safeParse(reason).success ? 'reason_needed' : null;
}

/** Body of POST /api/instances/:id/keys/:k/value. */
export const ValueRequest = z.object({
  db: z.number().int().min(0).max(65_535).default(0),
  reason: ValueReason.nullish(),
});
