import { z } from 'zod';

/** One row of the audit log, times epoch ms; null = not known or not applicable. */
export interface AuditRow {
  seq: number;
  at: number;
  actor: string;
  actorId: string;
  via: string;
  role: string;
  address: string | null;
  /** Id of the session; `token` and its id if an API token was used. */
  session: string | null;
  action: string;
  subject: string;
  instanceId: string | null;
  outcome: 'intent' | 'done' | 'refused' | 'failed';
  details: Record<string, unknown>;
  /** The row that recorded the intent of an outcome, so that one act is shown as one line. */
  intent: { seq: number; at: number } | null;
}

/** Epoch ms, or a date or time of ISO 8601; a date without a time is midnight UTC. */
const Moment = z
  .string()
  .max(40)
  .transform((text, context) => {
    const at = /^\d{1,15}$/.test(text) ? Number(text) : /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
    if (Number.isSafeInteger(at)) return at;
    context.addIssue({ code: 'custom', message: 'is neither epoch milliseconds nor a date such as 2026-01-31.' });
    return z.NEVER;
  });

export const AuditFilter = z.object({
  /** The name as it is written in the log. */
  person: z.string().min(1).max(300).optional(),
  /** `deletion.start`, or `deletion.` for all of them. */
  action: z
    .string()
    .regex(/^[a-z_]+(\.[a-z_]*)?$/)
    .max(64)
    .optional(),
  instance: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  from: Moment.optional(),
  /** The end of the period, not included. */
  to: Moment.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;
