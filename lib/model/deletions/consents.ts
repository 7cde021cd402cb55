import type { DeletionPlan } from './deletion-plan';
import type { Consent } from './plan-request';

/** What a person has to agree to for this plan, as its instance is marked now. */
export const consentsFor = (plan: Pick<DeletionPlan, 'consents'>, now: { production: boolean }): Consent[] => [
  ...new Set<Consent>([...plan.consents, ...(now.production ? (['production'] as const) : [])]),
];

/** What was agreed to when it was confirmed, or since; of a plan that nobody has confirmed: nothing. */
export const agreedOf = (plan: Pick<DeletionPlan, 'consents' | 'agreed'>): readonly Consent[] =>
  plan.agreed ?? plan.consents;
