/** The tables of a deletion plan that are files too, beside its keys; the first when none is named. */
export const PLAN_TABLES = ['prices', 'hazards', 'excluded'] as const;
export type PlanTable = (typeof PLAN_TABLES)[number];
