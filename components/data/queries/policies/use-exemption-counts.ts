import { useQueries } from '@tanstack/react-query';
import { queryApi } from '@/components/data/query-api';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { RuleFinding } from '@/lib/model/rules/findings';
import { hasWildcard } from '@/lib/model/text/glob';

/** A rule about keys, with its findings on the keys of an exemption. */
export interface CountedRule extends Pick<RuleFinding, 'rule' | 'title' | 'strength'> {
  /** Findings that are counted now and that an exemption takes out. */
  open: number;
  /** Findings that are exempted already. */
  exempted: number;
}

export interface ExemptionCounts {
  pending: boolean;
  error: unknown;
  /** When the snapshot was read, epoch ms. */
  asOf: number | null;
  rules: CountedRule[];
  /** A key may have several of the places, so its findings may be counted more than once. */
  mayOverlap: boolean;
}

/**
 * Counts the findings of every rule on the keys of an exemption, in one snapshot: the findings report of each of its
 * prefixes and patterns, so the number is the same that the findings page shows there.
 */
export function useExemptionCounts(
  snapshotId: string | null,
  { prefixes, patterns }: { prefixes: readonly string[]; patterns: readonly string[] },
): ExemptionCounts {
  const outer = listOuterPrefixes(prefixes);
  const others = [...new Set(patterns)].filter(
    (pattern) => hasWildcard(pattern) || !outer.some((prefix) => toName(pattern).startsWith(prefix)),
  );
  const queries = [...outer.map((prefix) => (prefix === '' ? {} : { prefix })), ...others.map(toPatternQuery)];
  const answers = useQueries({
    queries: queries.map((query) => ({
      ...queryApi('GET /api/snapshots/{id}/reports/findings', { id: snapshotId ?? '', query }),
      enabled: snapshotId !== null,
      staleTime: 60_000,
    })),
  });
  const byRule = new Map<string, CountedRule>();
  for (const { data } of answers)
    for (const { rule, title, strength, kind, keys, exemptKeys } of data?.report.rules ?? []) {
      if (kind !== 'key' && kind !== 'group') continue;
      const sum = byRule.get(rule) ?? { rule, title, strength, open: 0, exempted: 0 };
      byRule.set(rule, { ...sum, open: sum.open + (keys ?? 0), exempted: sum.exempted + exemptKeys });
    }
  return {
    pending: snapshotId !== null && answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    asOf: answers[0]?.data?.asOf ?? null,
    rules: [...byRule.values()],
    mayOverlap: queries.length > 1 && others.some(hasWildcard),
  };
}

/** The prefixes without those that begin with another one, whose keys they share. */
const listOuterPrefixes = (prefixes: readonly string[]): string[] =>
  [...new Set(prefixes)].filter((prefix) => !prefixes.some((other) => other !== prefix && prefix.startsWith(other)));

/** The name that a pattern without wildcards matches. */
const toName = (pattern: string) => pattern.replace(/\\([*?[\\])/g, '$1');

/** The filter for the names that a pattern matches. Its literal beginning spares reading the other names. */
function toPatternQuery(pattern: string): ReportQuery {
  if (!hasWildcard(pattern)) return { prefix: toName(pattern), exact: true };
  const beginning = /^[^*?[\\]*/.exec(pattern)![0];
  return { ...(beginning !== '' && { prefix: beginning }), search: pattern };
}
