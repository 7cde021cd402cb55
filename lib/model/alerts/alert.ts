import { z } from 'zod';
import { numeric } from '@/lib/model/filter';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';
import { ALERT_KINDS, type AlertKind, METRICS, type Metric, SEVERITIES, type Severity } from './vocabulary';

export const AlertRuleInput = z
  .object({
    name: z.string().trim().min(1).max(80).superRefine(refuseUnseen),
    kind: z.enum(ALERT_KINDS),
    on: z.boolean().default(true),
    severity: z.enum(SEVERITIES).default('warning'),
    /** null = every instance. */
    instanceId: z.string().max(64).nullable().default(null),
    /** `threshold`: the number that is compared, `bytes` in bytes, `score` from 0 to 100. */
    metric: z.enum(METRICS).nullable().default(null),
    direction: z.enum(['above', 'below']).default('above'),
    limit: z.number().finite().nullable().default(null),
    /** The alert ends only when the number is back on this side; null = at the limit. */
    clearAt: z.number().finite().nullable().default(null),
    /** Snapshots in a row that must be bad before it fires, and good before it ends. */
    forSnapshots: z.number().int().min(1).max(20).default(1),
    clearSnapshots: z.number().int().min(1).max(20).default(1),
    /** `notScanned`: hours since the last whole snapshot. */
    hours: z
      .number()
      .int()
      .min(1)
      .max(24 * 90)
      .nullable()
      .default(null),
    /** `stormAhead`: the share of all keys, 0 to 1, that expires within ten minutes. */
    share: z.number().min(0.01).max(1).nullable().default(null),
  })
  .superRefine((rule, context) => {
    const need = (field: 'metric' | 'limit' | 'hours' | 'share') => {
      if (rule[field] === null) context.addIssue({ code: 'custom', path: [field], message: 'is needed for this kind' });
    };
    if (rule.kind === 'threshold') {
      need('metric');
      need('limit');
      const { limit, clearAt, direction } = rule;
      if (limit !== null && clearAt !== null && (direction === 'above' ? clearAt > limit : clearAt < limit))
        context.addIssue({ code: 'custom', path: ['clearAt'], message: 'is on the wrong side of the limit' });
    }
    if (rule.kind === 'notScanned') need('hours');
    if (rule.kind === 'stormAhead') need('share');
  });
export type AlertRuleInput = z.infer<typeof AlertRuleInput>;

export interface AlertRule extends AlertRuleInput {
  id: string;
  updatedAt: number;
  updatedBy: string;
}

export type AlertState = 'pending' | 'firing' | 'resolved';

/** What an alert says; the words are put around it in the language of its reader. Numbers as in the rule. */
export interface AlertFacts {
  value: number | null;
  limit: number | null;
  /** More subjects of the same kind, which have no alert of their own. */
  more: number;
  /** A coded reason, a rule of a standard, a time. */
  reason: string | null;
}

export interface ShownAlert {
  id: string;
  fingerprint: string;
  ruleId: string;
  ruleName: string;
  kind: AlertKind;
  metric: Metric | null;
  severity: Severity;
  instanceId: string | null;
  instanceName: string | null;
  /** What it is about: the name of a key, a rule of a standard; empty = the instance itself. */
  subject: string;
  /** The title of the rule of a standard that it is about; null = it is about something else, or a custom rule. */
  ruleTitle: { en: string; 'zh-CN': string } | null;
  team: string | null;
  state: AlertState;
  facts: AlertFacts;
  /** Epoch ms. */
  since: number;
  firedAt: number | null;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  acknowledgedBy: string | null;
  snapshotId: string | null;
  /** The silence that applies to it now. */
  silencedBy: string | null;
}

export const SilenceInput = z
  .object({
    ruleId: z.string().max(64).nullable().default(null),
    instanceId: z.string().max(64).nullable().default(null),
    team: z.string().max(80).nullable().default(null),
    /** The beginning of the subject. */
    subject: z.string().max(500).nullable().default(null),
    reason: z.string().trim().min(1).max(300),
    /** Epoch ms, at most 90 days from now. */
    endsAt: z.number().int(),
  })
  .refine(({ ruleId, instanceId, team, subject }) => (ruleId ?? instanceId ?? team ?? subject) !== null, {
    message: 'Name a rule, an instance, a team or a subject.',
  });
export type SilenceInput = z.infer<typeof SilenceInput>;

export interface Silence extends SilenceInput {
  id: string;
  author: string;
  createdAt: number;
}

export type DeliveryState = 'waiting' | 'sent' | 'failed' | 'replaced';

/** One message to one channel, over all of its tries. */
export interface Delivery {
  id: string;
  channelId: string;
  channelName: string;
  team: string | null;
  reason: 'alerts' | 'repeat' | 'test' | 'failedChannel';
  state: DeliveryState;
  items: number;
  tries: number;
  createdAt: number;
  dueAt: number;
  sentAt: number | null;
  lastCode: string | null;
  lastText: string | null;
}

export const AlertsQuery = z.object({
  /** `open`: pending and firing. */
  state: z.enum(['open', 'resolved']).optional(),
  instanceId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  cursor: z.string().max(64).optional(),
  limit: numeric(z.number().int().min(1).max(500)).optional(),
});
export type AlertsQuery = z.infer<typeof AlertsQuery>;

export interface AlertsAnswer {
  alerts: ShownAlert[];
  /** null = there are no more. */
  nextCursor: string | null;
  /** Number of open alerts of all instances that the person may see. */
  open: { state: AlertState; severity: Severity; alerts: number }[];
}
