/** The words of the written standards, without the shapes that check them (rules.ts): pages need no more. */
export const STANDARDS = ['S0', 'S1', 'S2', 'S3', 'S4'] as const;
export type StandardId = (typeof STANDARDS)[number];

/** How a profile takes it. Order matters: the first is the heaviest. */
export const STRENGTHS = ['mandatory', 'recommended', 'advice'] as const;

export const RULE_AREAS = ['names', 'values', 'expiry', 'commands'] as const;
export type RuleArea = (typeof RULE_AREAS)[number];

/** What a key rule must know of a key. Where the fact is unknown the key is neither violating nor passing. */
export const FACTS = ['type', 'ttl', 'bytes', 'length', 'encoding', 'idle'] as const;
export type Fact = (typeof FACTS)[number];
