import type { ReportQuery } from '@/lib/model/reports/query';
import { keyPrefixSql, prefixOfPath } from '@/lib/snapshots/key-query/prefix-sql';
import { type Facts, factsOf, keyFacts, labelledSql, type RolledSource } from '@/lib/snapshots/reports/facts';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';

/** A prefix ends within the first two segments of a name. */
const SEGMENTS = 2;

/**
 * Facts grouped by prefix (prefix-sql.ts), and SQL to put after FROM with the prefix of each key as the column `label`.
 * The keys are read if the roll-up does not distinguish prefixes, or if `answers` is false for its facts.
 */
export function prefixFacts(
  source: RolledSource,
  query: ReportQuery,
  answers: (facts: Facts) => boolean = () => true,
): { facts: Facts; from: string } {
  const facts = factsOf(source, query);
  if (facts.scope === null || !answers(facts)) return ofKeys(source, query);
  if (facts.scope.paths.length === 0)
    return { facts, from: `(SELECT *, '' AS label FROM ${facts.rows} ${facts.where.sql})` };
  const pathOf = (number: number) => source.rollup!.paths[number]!;
  const known = facts.scope.paths.every((number) => {
    const cut = pathOf(number).segments.indexOf(CUT);
    return cut < 0 || cut >= SEGMENTS;
  });
  if (!known) return ofKeys(source, query);
  return {
    facts,
    from: labelledSql(facts.scope, (number) => prefixOfPath(pathOf(number).segments, pathOf(number).texts)),
  };
}

function ofKeys(source: RolledSource, query: ReportQuery): { facts: Facts; from: string } {
  const facts = keyFacts(source, query);
  const label = keyPrefixSql(facts.where, query.delimiter ?? ':');
  return { facts, from: `(SELECT *, ${label} AS label FROM ${facts.rows} ${facts.where.sql})` };
}
