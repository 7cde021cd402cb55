import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { unescapedSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { templateGroupsSql } from '@/lib/snapshots/reports/grouping/by-template';
import { type MedianRow, mediansSql } from '@/lib/snapshots/reports/grouping/medians';
import { readNamesAt } from '@/lib/snapshots/reports/grouping/read-names-at';
import type { TypeCount } from '@/lib/snapshots/reports/grouping/types-by-label';
import { withGroups } from '@/lib/snapshots/reports/grouping/with-groups';
import { compileChildMatch } from './child-match';
import { endsSql, getLevelSums, type LevelRow, selectLevelKeys, totalledSql } from './level-rows';
import {
  buildChildDetails,
  LABEL_SQL,
  type Level,
  orderSql,
  type Page,
  parseLevel,
  parsePage,
  parseTreeSort,
  pickShownRows,
  toTreeReport,
} from './tree-level';

/** Returns the children of a level whose few templates distinguish them, so that no name is split into segments. */
export async function buildTemplateTree(
  source: RolledSource,
  query: ReportQuery,
  forms: readonly string[],
): Promise<TreeReport> {
  const asked = selectLevelKeys(source, query, parseLevel(query), { places: true });
  return withGroups(source, templateGroupsSql(source, asked), asked.where.values, (grouped) =>
    buildTemplateGroupTree(source, query, forms, grouped),
  );
}

/** @param grouped SQL to put after FROM: the keys of the level as templateGroupsSql groups them. */
async function buildTemplateGroupTree(
  source: RolledSource,
  query: ReportQuery,
  forms: readonly string[],
  grouped: string,
): Promise<TreeReport> {
  const level = parseLevel(query);
  const where = new Where();
  const written = `split_part(template, '${TEMPLATE_DELIMITER}', ${level.depth + 1})`;
  const known = forms.map((form) => `${where.bind(form)}::VARCHAR`).join(', ');
  const form = forms.length === 0 ? 'NULL::VARCHAR' : `CASE WHEN written IN (${known}) THEN written END`;
  const match = compileChildMatch(query.match);
  const only = match ? `WHERE ${match.sql(where)}` : '';
  const from = `(SELECT *, keys - sized AS bytesUnknown, CASE WHEN leaf THEN keys ELSE 0 END AS leafKeys
    FROM (SELECT *, CASE WHEN form IS NULL THEN ${unescapedSql('written')} END AS segment
      FROM (SELECT *, ${form} AS form, ${templateDelimitersSql} = ${level.depth} AS leaf
        FROM (SELECT *, ${written} AS written FROM ${grouped}))) ${only})`;
  const ends = `min(firstPlace) AS firstPlace, max(lastPlace) AS lastPlace, ${endsSql(source, level)}`;
  const asked = { level, sort: parseTreeSort(query), page: parsePage(query) };
  return buildGroupTree<PlacedRow>(source, asked, { from, values: where.values, ends }, (rows) =>
    addRowNames(source, rows),
  );
}

type PlacedRow = LevelRow & { firstPlace: number; lastPlace: number };

/** Reads the names of examples. The last name is read too if it shows the only way down: for words that are no keys. */
async function addRowNames(source: Source, rows: readonly PlacedRow[]): Promise<LevelRow[]> {
  const isOnlyBranch = ({ form, leafKeys }: PlacedRow) => form === null && leafKeys === 0;
  const places = rows.flatMap((row) => (isOnlyBranch(row) ? [row.firstPlace, row.lastPlace] : [row.firstPlace]));
  const names = await readNamesAt(source, places);
  return rows.map((row) => ({
    ...row,
    example: names.get(row.firstPlace)!,
    lastName: isOnlyBranch(row) ? names.get(row.lastPlace)! : null,
  }));
}

const templateDelimitersSql = `(strlen(template) - strlen(replace(template, '${TEMPLATE_DELIMITER}', '')))`;

/** Keys by child, type and moment of expiry. `ends` are aggregates about names or templates. */
interface Groups {
  /** SQL to put after FROM. */
  from: string;
  values: readonly SqlValue[];
  ends: string;
}

/** Computes the children, their types and their medians from groups, which were made in one pass over the keys. */
export async function buildGroupTree<R extends LevelRow>(
  source: Source,
  { level, sort, page }: { level: Level; sort: string; page: Page },
  { from, values, ends }: Groups,
  named: (rows: readonly R[]) => Promise<LevelRow[]>,
): Promise<TreeReport> {
  const sums = ['keys', 'bytesUnknown', 'noExpiry', 'bigkeys', 'leafKeys'].map(
    (one) => `sum(${one})::BIGINT AS ${one}`,
  );
  const nodes = `SELECT form, segment, NULL AS folded, ${sums.join(', ')}, sum(bytes) AS bytes, max(maxBytes) AS maxBytes,
    min(minExpire) AS minExpire, max(maxExpire) AS maxExpire, ${ends} FROM ${from} GROUP BY 1, 2`;
  const all = await source.query<R>(totalledSql(nodes, orderSql(sort), ''), values);
  const rows = await named(pickShownRows(all, level, sort, page));
  const types = await source.query<TypeCount & { bytes: number | null }>(
    `SELECT ${LABEL_SQL} AS label, type, sum(keys)::BIGINT AS keys, sum(bytes)::DOUBLE AS bytes FROM ${from} GROUP BY 1, 2`,
    values,
  );
  const medians = await source.query<MedianRow>(
    mediansSql(`(SELECT ${LABEL_SQL} AS label, step, begins, keys AS n FROM ${from} WHERE step IS NOT NULL)`),
    values,
  );
  return toTreeReport(level, sort, rows, getLevelSums(all), buildChildDetails(medians, types), {
    asOf: source.asOf,
    page,
  });
}
