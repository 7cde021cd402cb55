import { filterWhere, memberSql } from '@/lib/key-query/filter-where';
import { type KeyColumns, keyColumns, keyRow } from '@/lib/key-query/key-row';
import { andAfter, cursorAfter, type Order, orderBySql, orderOf } from '@/lib/key-query/keyset';
import type { RuledSource } from '@/lib/key-query/rule-filter';
import { type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import { Where } from '@/lib/key-query/where-clause';
import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { CUT } from '@/lib/rollup/settle-paths';
import { overBytesSql, overElementsSql } from '@/lib/snapshots/query/bigkey-sql';
import type { Source } from '@/lib/snapshots/query/with-source';
import { bigkeyHazards, hazardCountSql } from './bigkey-hazards';
import { deleteBlocksMs } from './delete-cost';
import { factsOf, type RolledSource } from './facts';

/** Keys above the thresholds, with what may hurt beyond their size. */
const DEFAULT_LIMIT = 100;
/** Orders that are counted of each bigkey: by how many hazards, or violated rules, the list shows beside it. */
const COUNTED = { hazards: { column: 'counted', cast: 'BIGINT' }, rules: { column: 'counted', cast: 'BIGINT' } };

type Columns = KeyColumns & { over_bytes: boolean; over_elements: boolean; sort_value: string | number | null };
type AskedSource = RuledSource & RolledSource;

export async function bigkeys(source: AskedSource, query: ReportQuery): Promise<BigkeysReport> {
  const order = orderOf(query.sort, '-bytes', COUNTED);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const only = { ...query, big: true };
  const { known } = source;
  const where = filterWhere(only, source, query.delimiter);
  andTemplates(source, where, known?.big);
  andMinimum(where, known);
  const { from, page } = orderedRows(source, order, where);
  if (query.cursor) andAfter(page, order, query.cursor);
  const isNone = known?.big?.size === 0;
  // Of every type, whichever is listed: the choice between them shows how many each has.
  const byType = isNone ? [] : await bigkeysByType(source, { ...only, type: undefined });
  const rows = isNone
    ? []
    : await source.query<Columns>(
        `SELECT ${keyColumns}, ${overBytesSql(source.bigkeys)} AS over_bytes, ${overElementsSql(source.bigkeys)} AS over_elements, ${order.column} AS sort_value
         FROM ${from} ${page.sql} ORDER BY ${orderBySql(order)} LIMIT ${limit + 1}`,
        page.values,
      );
  const beside = await besideBigkeys(
    source,
    { ...query, big: undefined },
    known && new Set([...known.perhaps, ...known.recognised]),
  );
  const listed = byType.filter((row) => !query.type?.length || query.type.includes(row.type ?? 'unknown'));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map((row) => toRow(row, source)),
    total: listed.reduce((n, row) => n + row.keys, 0),
    totalBytes: listed.reduce((n, row) => n + row.bytes, 0),
    byType: byType.map((row) => ({ type: row.type, ...totalsOf(row) })),
    thresholds: source.bigkeys,
    unknown: beside.perhaps,
    recognised: beside.recognised,
    nextCursor: last ? cursorAfter(order, last, last.sort_value) : null,
  };
}

/** Bound one by one; of more the keys are asked for each. */
const MAX_TEMPLATES = 32;

/** Where all of a few templates are whole, no key has another one. */
function andTemplates({ live }: Source, where: Where, templates: ReadonlySet<string> | null | undefined): void {
  if (live || !templates || templates.size > MAX_TEMPLATES) return;
  const whole = [...templates].every((one) => !one.includes(CUT));
  if (whole && templates.size > 0) where.and(memberSql(where, 'template', [...templates]));
}

/** What the smallest of them has, the others have too: the rest is left out while it is read. */
function andMinimum(where: Where, known: AskedSource['known']): void {
  const { minBytes = null, minLength = null } = known ?? {};
  if (minBytes !== null) where.and(`bytes >= ${where.bind(BigInt(minBytes))}::BIGINT`);
  if (minLength !== null) where.and(`length >= ${where.bind(BigInt(minLength))}::BIGINT`);
}

function bigkeysByType(source: AskedSource, query: ReportQuery): Promise<(TotalsRow & { type: string | null })[]> {
  const { scope, rows, where, totals } = factsOf(source, query);
  if (scope === null) {
    andTemplates(source, where, source.known?.big);
    andMinimum(where, source.known);
  }
  return source.query(
    `SELECT type, ${totals} FROM ${rows} ${where.sql} GROUP BY type ORDER BY bytes DESC, type`,
    where.values,
  );
}

async function besideBigkeys(
  source: AskedSource,
  query: ReportQuery,
  templates: ReadonlySet<string> | null | undefined,
): Promise<{ perhaps: number; recognised: number }> {
  if (templates?.size === 0) return { perhaps: 0, recognised: 0 };
  const { scope, keys, perhapsBig, recognised, rows, where } = factsOf(source, query);
  if (scope === null) andTemplates(source, where, templates);
  const [row] = await source.query<{ perhaps: number; recognised: number }>(
    `SELECT ${keys(perhapsBig)} AS perhaps, ${keys(recognised)} AS recognised FROM ${rows} ${where.sql}`,
    where.values,
  );
  return row!;
}

/** What the page is taken of: a count is made once per bigkey, before rows behind the cursor are asked for. */
function orderedRows(source: AskedSource, order: Order, where: Where): { from: string; page: Where } {
  if (order.column !== 'counted') return { from: source.keys, page: where };
  const counted = order.sort.endsWith('rules') ? rulesSql(source, where) : hazardsSql(source, where);
  return { from: `(SELECT *, ${counted} AS counted FROM ${source.keys} ${where.sql})`, page: new Where(where.values) };
}

function rulesSql({ ruleOrder }: AskedSource, where: Where): string {
  if (!ruleOrder) throw new AppError('bad_request', 'An order by rules needs the policy of an instance.');
  return ruleOrder.violated(where);
}

/** How far a bigkey is above its threshold is a hazard too, which the policy knows. */
const hazardsSql = (source: AskedSource, where: Where): string =>
  [hazardCountSql(source), ...(source.ruleOrder ? [source.ruleOrder.farAbove(where)] : [])].join(' + ');

function toRow(row: Columns, source: Source): BigkeyRow {
  const over: BigkeyRow['over'] = [];
  if (row.over_bytes) over.push('bytes');
  if (row.over_elements) over.push('elements');
  const delBlocksMs = deleteBlocksMs(row);
  return { ...keyRow(row), over, hazards: bigkeyHazards(row, delBlocksMs, source), delBlocksMs };
}
