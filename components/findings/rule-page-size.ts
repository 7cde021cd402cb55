/** Prefixes or groups of a rule on one page. */
export const RULE_PAGE_SIZE = 50;
