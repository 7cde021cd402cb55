import { z } from 'zod';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from './is-value-reason';

/** Why a person reads values of an instance; on production it is required. It is recorded in the audit log. */
export const ValueReason = z.string().trim().min(MIN_REASON_LENGTH).max(MAX_REASON_LENGTH);

/** The fields of an instance that decide whether bytes of its values may be read. */
export interface ValueReadSettings {
  production: boolean;
  valuesForbidden: boolean;
}

/** Returns why reading is refused; null = it is allowed. */
export function findValueRefusal(
  rules: ValueReadSettings,
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
