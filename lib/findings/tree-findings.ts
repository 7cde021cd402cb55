import type { FindingCounts } from '@/lib/model/findings';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeysReport, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import type { KeyRow } from '@/lib/model/snapshot';
import { escapeSegment } from '@/lib/reports/folded-path';
import { segmentKind } from '@/lib/reports/segment-kind';
import type { Source } from '@/lib/snapshots/with-source';
import { checkRows } from './check-rows';
import { type Combination, combinationsOf } from './combinations';
import type { CompiledPolicy } from './compile-policy';
import { tallies } from './findings-report';
import type { RulesMeta } from './rules-folder';
import { rollupScope } from './scope';

/**
 * Numbers of findings beside the children of a tree level, and the rules that each listed bigkey breaks. One question to the
 * roll-up tells all children of a level; single ids, which it has folded, are counted where they are small. A child whose
 * keys do not add up with it (another delimiter, ids unfolded) has no number.
 */
const MOST_KEYS_LIVE = 20_000;

export async function addTreeFindings(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta,
  query: ReportQuery,
  report: TreeReport,
): Promise<TreeReport> {
  const { prefix, sort: _sort, limit: _limit, fold: _fold, ...filter } = query;
  const path = query.template ?? prefix ?? '';
  const base = { ...filter, ...(path === '' ? {} : { template: path }) };
  const scope = await rollupScope(source, meta, base, report.depth + 1);
  if (scope === null) return report;
  type Row = Record<string, unknown> & {
    segment: string;
    profile: number;
    zone: number;
    broken: string;
    keys: number;
    bytes: number;
  };
  const rows = await source.query<Row>(
    `SELECT string_split(template, ':')[${report.depth + 1}] AS segment, profile, zone, broken::VARCHAR AS broken, sum(keys)::DOUBLE AS keys,
       sum(bytes)::DOUBLE AS bytes
     FROM ${scope.rows} ${scope.where.sql} GROUP BY ALL`,
    scope.where.values,
  );
  const bySegment = new Map<string, Combination[]>();
  for (const row of rows) {
    const own = bySegment.get(row.segment) ?? [];
    bySegment.set(row.segment, own);
    own.push({
      ...row,
      broken: BigInt(row.broken),
      exempted: 0n,
      unjudged: 0n,
      bytesUnknown: 0,
      largest: 0,
      firstName: '',
    });
  }
  let live = MOST_KEYS_LIVE;
  const countsOf = async (child: TreeNode): Promise<FindingCounts | null> => {
    const written = child.folded === null ? escapeSegment(child.segment) : child.segment;
    const own = bySegment.get(written);
    if (own && own.reduce((n, row) => n + row.keys, 0) === child.keys) return counted(compiled, own);
    if (child.folded !== null || segmentKind(child.segment) === null || child.keys > live) return null;
    live -= child.keys;
    const found = await combinationsOf(source, compiled, meta, { ...filter, template: child.path });
    return found.reduce((n, row) => n + row.keys, 0) === child.keys ? counted(compiled, found) : null;
  };
  const children: TreeNode[] = [];
  for (const child of report.children) children.push({ ...child, findings: await countsOf(child) });
  return { ...report, children };
}

function counted(compiled: CompiledPolicy, rows: readonly Combination[]): FindingCounts {
  const { mandatory, recommended, advice } = tallies(compiled, rows);
  return { mandatory: mandatory.keys, recommended: recommended.keys, advice: advice.keys };
}

/** The bytes where the name is not they; a name that really holds `\x41` is its own bytes. */
function rawOf({ name, k }: KeyRow): Buffer | null {
  if (!name.includes('\\x')) return null;
  const bytes = Buffer.from(k ?? '', 'base64url');
  return Buffer.from(name).equals(bytes) ? null : bytes;
}

export async function addBroken(
  source: Source,
  compiled: CompiledPolicy,
  report: BigkeysReport,
): Promise<BigkeysReport> {
  const verdicts = await checkRows(
    compiled.policy,
    report.rows.map((row) => ({
      ...row,
      raw: rawOf(row),
    })),
    { dir: source.dir, asOf: compiled.asOf, lazyfreeLazyExpire: compiled.lazyExpire, clustered: compiled.clustered },
  );
  return {
    ...report,
    rows: report.rows.map((row, i) => ({
      ...row,
      broken: verdicts[i]!.broken.filter((one) => !one.exempt).map((one) => one.rule),
      split: verdicts[i]!.split ?? null,
    })),
  };
}
