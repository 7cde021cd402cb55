import type { DeletionPlan } from './deletion-plan';
import type { Consent } from './plan-request';

/** Returns the consents that this plan requires, with the present mark of its instance. */
export const listConsents = (plan: Pick<DeletionPlan, 'consents'>, now: { production: boolean }): Consent[] => [
  ...new Set<Consent>([...plan.consents, ...(now.production ? (['production'] as const) : [])]),
];

/** Returns what was agreed to at or after the confirmation; before that, the consents of the plan. */
export const listAgreedConsents = (plan: Pick<DeletionPlan, 'consents' | 'agreed'>): readonly Consent[] =>
  plan.agreed ?? plan.consents;
