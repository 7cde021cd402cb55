/** The tables of a deletion plan, besides its keys, that can be downloaded as files; the first is the default. */
export const PLAN_TABLES = ['prices', 'hazards', 'excluded'] as const;
export type PlanTable = (typeof PLAN_TABLES)[number];
