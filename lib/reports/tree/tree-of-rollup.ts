import { MAX_PATH_SEGMENTS } from '@/lib/key-query/template-range';
import { foldedSegment } from '@/lib/model/names/folded-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { CELL_TOTALS, cellFacts, labelledSql, type RolledSource } from '@/lib/reports/facts';
import { type MedianRow, mediansSql } from '@/lib/reports/medians';
import { type TypeCount, typesByLabel } from '@/lib/reports/types-by-label';
import type { Rollup } from '@/lib/rollup/open-rollup';
import { narrowsByPathOnly, rollupScope, type Scope } from '@/lib/rollup/scope';
import { CUT, FOLD_ABOVE } from '@/lib/rollup/settle-paths';
import { childPage, labelOf, levelOf, type NodeRow, shownRows, treeOrder, treeReport } from './tree-level';

/**
 * The children of a path, asked of the roll-up. What folds is decided by all keys of the level, whatever else the
 * question filters by; how many ids a form stands for is known of all keys only.
 */
export interface Children {
  /** Path → its child on this level, as `labelOf` tells it. */
  labels: ReadonlyMap<number, string>;
  forms: string[];
}

/** null: the level was cut, or does not part the paths. */
export function childrenOf({ paths }: Rollup, scope: Scope, depth: number): Children | null {
  if (depth >= MAX_PATH_SEGMENTS) return null;
  const literal = new Map<string, Set<string>>();
  const forms = new Set<string>();
  const formsOf = new Map<number, { form: string | null; segment: string | null }>();
  for (const number of scope.paths) {
    const { segments, texts } = paths[number]!;
    const segment = segments[depth]!;
    if (segment === CUT) return null;
    const text = texts[depth]!;
    const form = text === null ? segment : foldedSegment(text);
    formsOf.set(number, { form, segment: text });
    if (text === null) forms.add(segment);
    else if (form !== null) literal.set(form, (literal.get(form) ?? new Set()).add(text));
  }
  // Few below each of several paths may be many below all of them.
  for (const [form, texts] of literal) if (texts.size > FOLD_ABOVE) forms.add(form);
  const labels = [...formsOf].map(([number, { form, segment }]): [number, string] => [
    number,
    labelOf(form !== null && forms.has(form) ? { form, segment: null } : { form: null, segment }),
  ]);
  return { labels: new Map(labels), forms: [...forms] };
}

/** null: the roll-up cannot tell. */
export async function treeOfRollup(source: RolledSource, query: ReportQuery): Promise<TreeReport | null> {
  const scope = rollupScope(source.rollup, 'cells', query);
  const moments = rollupScope(source.rollup, 'moments', query);
  if (scope === null || moments === null || query.fold === false) return null;
  const level = levelOf(query);
  const children = childrenOf(source.rollup!, scope, level.depth);
  if (children === null) return null;
  const sort = treeOrder(query);
  const options = { asOf: source.asOf, page: childPage(query) };
  const none = { keys: 0, bytes: 0, bytesUnknown: 0, nodes: 0 };
  if (scope.paths.length === 0)
    return treeReport(level, sort, [], none, { medians: new Map(), types: new Map() }, options);
  const facts = cellFacts(scope);
  const labelOfPath = (number: number) => children.labels.get(number)!;
  const unlabelled = { ...scope, where: scope.where.copy() };
  const cells = labelledSql(scope, labelOfPath);
  const leaves = scope.paths.filter((number) => source.rollup!.paths[number]!.segments.length === level.depth + 1);
  const isLeaf = leaves.length === 0 ? 'false' : `path IN (${leaves.join(', ')})`;
  const rows = await source.query<NodeRow & { label: string }>(
    `SELECT label, ${CELL_TOTALS}, ${facts.keys(isLeaf)} AS leafKeys, ${facts.maxBytes} AS maxBytes, ${facts.keys(facts.none)} AS noExpiry,
       ${facts.minExpire} AS minExpire, ${facts.maxExpire} AS maxExpire, ${facts.keys(facts.big)} AS bigkeys, ${facts.example} AS example
     FROM ${cells} GROUP BY label`,
    scope.where.values,
  );
  // All keys of the level: nothing but a path that is complete up to a delimiter narrows them.
  const whole = narrowsByPathOnly(query) && /^$|:$/.test(level.path);
  const nodes = rows.map(({ label, ...row }): NodeRow => {
    const text = label.slice(1);
    const form = label.startsWith('~') ? text : null;
    const folded = form !== null && whole ? (source.rollup!.ids.get(level.path + form) ?? null) : null;
    return { ...row, form, segment: form === null ? text : null, folded };
  });
  const all = nodes.reduce(
    (sum, row) => ({
      keys: sum.keys + row.keys,
      bytes: sum.bytes + row.bytes,
      bytesUnknown: sum.bytesUnknown + row.bytesUnknown,
      nodes: sum.nodes + 1,
    }),
    none,
  );
  const shown = shownRows(nodes, level, sort, options.page);
  const labels = new Set(shown.map(labelOf));
  const paths = scope.paths.filter((number) => labels.has(labelOfPath(number)));
  if (paths.length === 0) return treeReport(level, sort, [], all, { medians: new Map(), types: new Map() }, options);
  const some = { ...unlabelled, paths };
  const types = await source.query<TypeCount>(
    `SELECT label, type, sum(n)::BIGINT AS keys FROM ${labelledSql(some, labelOfPath)} GROUP BY 1, 2`,
    some.where.values,
  );
  const steps = labelledSql({ ...moments, paths }, labelOfPath);
  const medians = await source.query<MedianRow>(mediansSql(steps), moments.where.values);
  const beside = { medians: new Map(medians.map((row) => [row.label, row])), types: typesByLabel(types) };
  return treeReport(level, sort, shown, all, beside, options);
}
