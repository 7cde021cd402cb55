/** The constants of the written standards. Separate from the schemas of rules.ts, which pages do not need. */
export const STANDARDS = ['S0', 'S1', 'S2', 'S3', 'S4'] as const;
export type StandardId = (typeof STANDARDS)[number];

/** The strength that a profile gives a rule. The order matters: the first is the strongest. */
export const STRENGTHS = ['mandatory', 'recommended', 'advice'] as const;

export const RULE_AREAS = ['names', 'values', 'expiry', 'commands'] as const;
export type RuleArea = (typeof RULE_AREAS)[number];

/** Facts that a key rule may need. If the fact is unknown, the key neither violates nor passes the rule. */
export const FACTS = ['type', 'ttl', 'bytes', 'length', 'encoding', 'idle'] as const;
export type Fact = (typeof FACTS)[number];
