import { foldedSegment } from '@/lib/model/names/folded-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import { append } from '@/lib/model/text/append';
import { literalPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Rollup, RollupPath } from './open-rollup';
import { pathOf } from './path-of';
import { peakWithin } from './peak-within';
import { narrowsByPathOnly, rollupScope } from './scope';
import { CUT } from './settle-paths';
import { STORM_KEYS, STORM_SIGMAS, STORM_TIMES } from './storm-sql';
import { type Usual, usualOfStepsSql, usualSql } from './usual-sql';

/**
 * The prefixes that can have storms under a filter. A minute has no more keys of a prefix than its peak (there are
 * peaks for each dimension of a filter), and sums give a lower bound of what is usual. If the peak is no storm compared
 * with that, there is none. Storms of whole prefixes were found together with the roll-up. The keys are read only for
 * the prefixes that remain, mostly none.
 */
export interface StormPrefixes {
  /** Prefixes of which all keys match the query. Their storms are in the table `storms`. */
  known: string[];
  /** Prefixes whose storms have to be computed from the keys. */
  asked: string[];
}

/** With more prefixes than this, all keys of the query are read. */
const MAX_ASKED = 32;

/**
 * @param ask Runs one statement.
 *
 * @param groups SQL for the keys of the query if the roll-up cannot select them, in the form that `usualOfStepsSql`
 * needs; `label` is their prefix. null: not known.
 *
 * @returns null if the roll-up cannot decide or too many prefixes remain.
 */
export async function stormPrefixes(
  rollup: Rollup | null,
  query: ReportQuery,
  ask: (sql: string, values: Usual['values']) => Promise<UsualRow[]>,
  groups: string | null = null,
): Promise<StormPrefixes | null> {
  if (!rollup?.peaks || (query.delimiter ?? TEMPLATE_DELIMITER) !== TEMPLATE_DELIMITER) return null;
  const scope = rollupScope(rollup, 'cells', query);
  const busy = [...rollup.peaks].flatMap(([prefix, peaks]) => {
    const peak = peakWithin(peaks, query, rollup.meta.asOf);
    return peak >= STORM_KEYS ? [{ prefix, peak }] : [];
  });
  if (scope === null) {
    const begins = literalPrefix(parsePath(pathOf(query), TEMPLATE_DELIMITER), TEMPLATE_DELIMITER).text;
    const met = busy.filter(({ prefix }) => prefix === '' || prefix.startsWith(begins) || begins.startsWith(prefix));
    const asked = groups === null || met.length === 0 ? met : exceeding(met, await ask(usualOfStepsSql(groups), []));
    return atMost({ known: [], asked: asked.map(({ prefix }) => prefix) });
  }
  const meant = new Set(scope.paths);
  const ofPaths = narrowsByPathOnly(query);
  const found: StormPrefixes = { known: [], asked: [] };
  const partly: (Peaked & { paths: number[] })[] = [];
  for (const { prefix, peak } of busy) {
    const { all, some } = pathsOf(rollup.paths, prefix);
    if (![...all, ...some].some((path) => meant.has(path))) continue;
    if (ofPaths && [...all, ...some].every((path) => meant.has(path))) found.known.push(prefix);
    // Some paths may also have keys without this prefix, so what is usual for it is not known.
    else if (some.some((path) => meant.has(path))) found.asked.push(prefix);
    else partly.push({ prefix, peak, paths: all.filter((path) => meant.has(path)) });
  }
  if (partly.length > 0) {
    const usual = usualSql(rollup, query, new Map(partly.map(({ prefix, paths }) => [prefix, paths])));
    append(
      found.asked,
      exceeding(partly, await ask(usual.sql, usual.values)).map(({ prefix }) => prefix),
    );
  }
  return atMost(found);
}

interface Peaked {
  prefix: string;
  peak: number;
}

/** Returns those whose peak may be a storm compared with what is usual. */
function exceeding(some: readonly Peaked[], usual: readonly UsualRow[]): readonly Peaked[] {
  const rows = new Map(usual.map((row) => [row.label, row.expected]));
  return some.filter(({ prefix, peak }) => {
    const expected = rows.get(prefix);
    // Without a row none of these keys expires.
    return expected !== undefined && isStorm(peak, expected);
  });
}

export interface UsualRow extends Record<string, unknown> {
  label: string;
  /** Lower bound of the usual number of keys in a minute. */
  expected: number;
}

const atMost = (found: StormPrefixes) => (found.asked.length > MAX_ASKED ? null : found);

const isStorm = (keys: number, expected: number) =>
  keys >= STORM_KEYS && keys > STORM_TIMES * expected && keys > expected + STORM_SIGMAS * Math.sqrt(expected);

/**
 * Returns the paths whose keys all have a prefix (as prefix-sql.ts computes it from names), and those of which only
 * some may.
 */
function pathsOf(paths: readonly RollupPath[], prefix: string): { all: number[]; some: number[] } {
  const wanted = prefix.split(TEMPLATE_DELIMITER).slice(0, -1);
  const all: number[] = [];
  const some: number[] = [];
  for (const [number, path] of paths.entries()) {
    const match = matches(path, wanted);
    if (match === 'all') all.push(number);
    else if (match === 'some') some.push(number);
  }
  return { all, some };
}

function matches({ segments, texts }: RollupPath, wanted: readonly string[]): 'all' | 'some' | 'none' {
  if (segments[0] === CUT) return 'some';
  if (wanted.length === 0) return segments.length === 1 ? 'all' : 'none';
  if (segments.length === 1) return 'none';
  if (texts[0] === null) return foldedSegment(wanted[0]!) === segments[0] ? 'some' : 'none';
  if (texts[0] !== wanted[0]) return 'none';
  if (segments[1] === CUT) return 'some';
  const goesOn = segments.length > 2;
  // An id without a digit (`abcdefab`) makes a prefix of its own.
  if (texts[1] === null) return goesOn && !/^\{(?:int|date)\}$/.test(segments[1]!) ? 'some' : onlyFirst(wanted);
  if (goesOn && !/[0-9]/.test(texts[1]!)) return texts[1] === wanted[1] ? 'all' : 'none';
  return onlyFirst(wanted);
}

const onlyFirst = (wanted: readonly string[]) => (wanted.length === 1 ? 'all' : 'none');
