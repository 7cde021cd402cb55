import type { ReportQuery } from '@/lib/model/reports/query';
import { keyPrefixSql, toPathPrefix } from '@/lib/snapshots/key-query/prefix-sql';
import { buildFacts, buildKeyFacts, type Facts, labelledSql, type RolledSource } from '@/lib/snapshots/reports/facts';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';

/** A prefix ends within the first two segments of a name. */
const SEGMENTS = 2;

/**
 * Facts grouped by prefix (prefix-sql.ts), and SQL to put after FROM with the prefix of each key as the column `label`.
 * The keys are read if the roll-up does not distinguish prefixes, or if `answers` is false for its facts.
 */
export function buildPrefixFacts(
  source: RolledSource,
  query: ReportQuery,
  answers: (facts: Facts) => boolean = () => true,
): { facts: Facts; from: string } {
  const facts = buildFacts(source, query);
  if (facts.scope === null || !answers(facts)) return buildKeyPrefixFacts(source, query);
  if (facts.scope.paths.length === 0)
    return { facts, from: `(SELECT *, '' AS label FROM ${facts.rows} ${facts.where.sql})` };
  const getPath = (number: number) => source.rollup!.paths[number]!;
  const known = facts.scope.paths.every((number) => {
    const cut = getPath(number).segments.indexOf(CUT);
    return cut < 0 || cut >= SEGMENTS;
  });
  if (!known) return buildKeyPrefixFacts(source, query);
  return {
    facts,
    from: labelledSql(facts.scope, (number) => toPathPrefix(getPath(number).segments, getPath(number).texts)),
  };
}

function buildKeyPrefixFacts(source: RolledSource, query: ReportQuery): { facts: Facts; from: string } {
  const facts = buildKeyFacts(source, query);
  const label = keyPrefixSql(facts.where, query.delimiter ?? ':');
  return { facts, from: `(SELECT *, ${label} AS label FROM ${facts.rows} ${facts.where.sql})` };
}
