/**
 * Adds the numbers of findings to the children of a tree level, and the violated rules to each listed bigkey. One query
 * to the roll-up answers for all children of a level. The roll-up folds single ids and merges the smaller children of a
 * cut level, so these are evaluated on their keys, together and up to MAX_KEYS_LIVE keys. A child has no number if its
 * keys do not add up in either way (another delimiter).
 */

import { findKeyHeader } from '@/lib/model/keys/recognised-values';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeysReport, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import type { FindingCounts } from '@/lib/model/rules/findings';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import type { Combination } from '@/lib/rules/evaluate/combinations';
import { findEvaluationScope } from '@/lib/rules/evaluate/scope';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import type { RulesMeta } from '@/lib/rules/policy/rules-folder';
import { MAX_PATH_SEGMENTS } from '@/lib/snapshots/key-query/limit-to-template';
import type { Source } from '@/lib/snapshots/query/with-source';
import { readChildCombinations, type SummedRow, toCombination } from './child-combinations';
import { sumByStrength } from './findings-report';

const MAX_KEYS_LIVE = 100_000;

/** Adds to each child of a tree level how many of its keys violate rules of each strength. */
export async function addTreeFindings(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta,
  query: ReportQuery,
  report: TreeReport,
): Promise<TreeReport> {
  // These fields only decide which children are shown, and in which order. They do not change the findings.
  const {
    sort: _sort,
    limit: _limit,
    fold: _fold,
    cursor: _cursor,
    match: _match,
    nested: _nested,
    ...filters
  } = query;
  // The path of the report takes the place of the template, or of the prefix if there is no template.
  const { prefix, template, ...rest } = filters;
  const filter = template ? { ...rest, prefix } : rest;
  const base = { ...filter, ...(report.path === '' ? {} : { template: report.path }) };
  const scope = await findEvaluationScope(source, meta, base, report.depth + 1);
  if (scope === null) return report;
  const rows = await source.query<SummedRow & { segment: string; rest: boolean }>(
    `SELECT rest AND len(string_split(template, ':')) = ${report.depth + 1} AS rest, string_split(template, ':')[${report.depth + 1}] AS segment, profile, zone, violated::VARCHAR AS violated, sum(keys)::DOUBLE AS keys,
       sum(bytes)::DOUBLE AS bytes
     FROM ${scope.rows} ${scope.where.sql} GROUP BY ALL`,
    scope.where.values,
  );
  const bySegment = new Map<string, Combination[]>();
  for (const row of rows)
    if (!row.rest) bySegment.set(row.segment, [...(bySegment.get(row.segment) ?? []), toCombination(row)]);
  const known = new Map<TreeNode, Combination[]>();
  for (const child of report.children) {
    const own = bySegment.get(!child.folds ? escapeSegment(child.segment) : child.segment);
    if (hasAllKeys(own, child)) known.set(child, own);
  }
  const isCut = rows.some(({ rest }) => rest);
  const live = chooseLiveChildren(report, known, isCut);
  if (live.length > 0) {
    const segments = live.map((child) => child.segment);
    const byChild = await readChildCombinations(source, compiled, filter, report, segments);
    for (const child of live) {
      const own = byChild.get(child.segment);
      if (hasAllKeys(own, child)) known.set(child, own);
    }
  }
  const children = report.children.map((child) => {
    const own = known.get(child);
    return { ...child, findings: own ? toFindingCounts(compiled, own) : null };
  });
  return { ...report, children };
}

const hasAllKeys = (own: Combination[] | undefined, child: TreeNode): own is Combination[] =>
  own !== undefined && own.reduce((n, row) => n + row.keys, 0) === child.keys;

/**
 * Returns the children that have to be evaluated on their keys: single ids, which the roll-up does not distinguish, and
 * children in the rest of a level that was cut. They come in the order of the report, as many as fit into
 * MAX_KEYS_LIVE.
 */
function chooseLiveChildren(report: TreeReport, known: ReadonlyMap<TreeNode, unknown>, isCut: boolean): TreeNode[] {
  let left = MAX_KEYS_LIVE;
  return report.children.filter((child) => {
    if (known.has(child) || child.folds || !(isCut || foldSegment(child.segment) !== null)) return false;
    if (report.depth >= MAX_PATH_SEGMENTS || child.keys > left) return false;
    left -= child.keys;
    return true;
  });
}

function toFindingCounts(compiled: CompiledPolicy, rows: readonly Combination[]): FindingCounts {
  const { mandatory, recommended, advice } = sumByStrength(compiled, rows);
  return { mandatory: mandatory.keys, recommended: recommended.keys, advice: advice.keys };
}

/**
 * The bytes of the key if its name is not these bytes, else null. A name that really contains `\x41` is its own bytes.
 */
function getRawBytes({ name, k }: KeyRow): Buffer | null {
  if (!name.includes('\\x')) return null;
  const bytes = Buffer.from(k ?? '', 'base64url');
  return Buffer.from(name).equals(bytes) ? null : bytes;
}

/** Adds to each listed bigkey the rules that it violates, and how to split it. */
export async function addViolations(
  source: Source,
  compiled: CompiledPolicy,
  report: BigkeysReport,
): Promise<BigkeysReport> {
  const verdicts = await checkRows(
    compiled.policy,
    report.rows.map((row) => ({
      ...row,
      raw: getRawBytes(row),
      hyperloglog: findKeyHeader(source.manifest.notHyperloglogs, row),
    })),
    {
      dir: source.dir,
      asOf: compiled.asOf,
      lazyfreeLazyExpire: compiled.lazyExpire,
      clustered: compiled.clustered,
      moreCommands: compiled.moreCommands,
    },
  );
  return {
    ...report,
    rows: report.rows.map((row, i) => ({
      ...row,
      violated: verdicts[i]!.violated.filter((one) => !one.exempt).map((one) => one.rule),
      split: verdicts[i]!.split ?? null,
    })),
  };
}
