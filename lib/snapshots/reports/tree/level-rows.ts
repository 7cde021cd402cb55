import type { ReportQuery } from '@/lib/model/reports/query';
import type { Totals } from '@/lib/model/reports/reports';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { type BoundedSource, type SelectedKeys, selectKeysWhere } from '@/lib/snapshots/key-query/keys-where';
import { limitToPathEnd } from '@/lib/snapshots/key-query/limit-to-nodes';
import { limitToTemplate } from '@/lib/snapshots/key-query/limit-to-template';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Source } from '@/lib/snapshots/query/with-source';
import type { Level, NodeRow } from './tree-level';

/** A row for a child, with the sums of all children; the same whether it was computed from keys or from groups. */
export type LevelRow = NodeRow & { nodes: number; allKeys: number; allBytes: number; allUnknown: number };

/** SQL for the first and last template of folded children, if the files have templates by this delimiter. */
export const endsSql = (source: Source, level: Level) =>
  !source.live && level.delimiter === TEMPLATE_DELIMITER
    ? 'min(template) FILTER (form IS NOT NULL) AS firstTemplate, max(template) FILTER (form IS NOT NULL) AS lastTemplate'
    : 'NULL AS firstTemplate, NULL AS lastTemplate';

export function selectLevelKeys(
  source: BoundedSource,
  query: ReportQuery,
  level: Level,
  options?: { places: true },
): SelectedKeys {
  const { prefix, template, ...filter } = query;
  const searched = () => source.searched?.(query, level.delimiter) ?? null;
  return selectKeysWhere(
    source,
    (about) => {
      const made = buildFilterWhere(
        template ? { ...filter, prefix } : filter,
        { ...source, ...about, searched },
        level.delimiter,
      );
      limitToTemplate(made, level.path, level.delimiter, {
        hasColumn: !source.live,
        isAlone: source.isAlone?.(level.path, level.delimiter) ?? false,
      });
      if (query.exact && level.path !== '') limitToPathEnd(made, level.path, level.delimiter);
      return made;
    },
    options,
  );
}

/** @param nodes A SELECT of all children. */
export const totalledSql = (nodes: string, order: string, cut: string): string =>
  `SELECT *, count(*) OVER () AS nodes, sum(keys) OVER () AS allKeys, sum(bytes) OVER () AS allBytes,
     sum(bytesUnknown) OVER () AS allUnknown
   FROM (${nodes}) ORDER BY ${order} ${cut}`;

export const getLevelSums = ([first]: readonly LevelRow[]): Totals & { nodes: number } => ({
  keys: first?.allKeys ?? 0,
  bytes: first?.allBytes ?? 0,
  bytesUnknown: first?.allUnknown ?? 0,
  nodes: first?.nodes ?? 0,
});
