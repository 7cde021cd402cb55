import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import {
  getRulesFolder,
  type RulesMeta,
  rulesRollupSql,
  rulesSummarySql,
  SUMMARY_SEGMENTS,
} from '@/lib/rules/policy/rules-folder';
import { findLiteralPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { TEMPLATE_SEGMENTS } from './folded-template-sql';

/** Fields of a query that the roll-up can answer, or that change only how the answer looks. */
const ANSWERED = new Set([
  'prefix',
  'template',
  'sort',
  'limit',
  'delimiter',
  'cursor',
  'owner',
  'rule',
  'strength',
  'exempt',
  'fold',
]);
const DELIMITER = ':';
const isSet = (value: unknown) =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

interface EvaluationScope {
  /** The roll-up or its summary, as a sub-select in brackets. */
  rows: string;
  where: Where;
}

/**
 * Finds the rows of the roll-up that together hold exactly the keys of a query. A path in folded form selects the rows
 * whose template begins with it. A literal prefix selects whole rows, unless the names of some row are on both sides of
 * one of its bounds. When a wide level was cut (cut-levels.ts), children with rows of their own are complete; any other
 * child may be in the rest row of the level. null means that the roll-up cannot answer and the keys have to be read.
 *
 * `segments` is the number of segments that the templates must have; the summary keeps only the first ones.
 */
export async function findEvaluationScope(
  source: Source,
  meta: RulesMeta | null,
  query: ReportQuery,
  segments = 0,
): Promise<EvaluationScope | null> {
  if (meta === null) return null;
  const written = (query.template ?? query.prefix ?? '').split(DELIMITER);
  // The text after the last delimiter of a template is a segment too, and the summary may have cut it off.
  const lastSegment = query.template !== undefined && written.at(-1) !== '' ? 1 : 0;
  const needed = Math.max(segments, written.length - 1 + lastSegment);
  const candidates = [
    ...(needed <= SUMMARY_SEGMENTS ? [rulesSummarySql(source.dir, meta)] : []),
    rulesRollupSql(getRulesFolder(source.dir, meta.hash)),
  ];
  for (const rows of candidates) {
    const where = await buildScope(source, rows, query);
    if (where !== null) return { rows, where };
  }
  return null;
}

async function buildScope(source: Source, rollup: string, query: ReportQuery): Promise<Where | null> {
  for (const [field, value] of Object.entries(query)) if (isSet(value) && !ANSWERED.has(field)) return null;
  if (query.delimiter !== undefined && query.delimiter !== DELIMITER && query.template) return null;
  const where = new Where();
  if (query.template) {
    const path = toWellFormed(query.template);
    if (!addPathCondition(where, path) || (await isInRest(source, rollup, path))) return null;
  }
  if (query.prefix && !(await addPrefixCondition(source, rollup, where, toWellFormed(query.prefix)))) return null;
  return where;
}

/** Adds the condition for a folded path. False means that templates cannot decide it. */
function addPathCondition(where: Where, path: string): boolean {
  const { parts, tail } = parsePath(path, DELIMITER);
  if (parts.length >= TEMPLATE_SEGMENTS) return false;
  // The template folds a literal segment that looks like an id together with other ids.
  if (parts.some((part) => 'text' in part && foldSegment(part.text) !== null)) return false;
  const head = path.slice(0, path.lastIndexOf(DELIMITER) + 1);
  if ('form' in tail) {
    const text = where.bind(path);
    where.and(`(template = ${text}::VARCHAR OR starts_with(template, concat(${text}::VARCHAR, ':')))`);
    return true;
  }
  if (tail.text === '') {
    if (head !== '')
      where.and(
        `template >= ${where.bind(head)}::VARCHAR AND template < ${where.bind(findNextPrefix(head)!)}::VARCHAR`,
      );
    return true;
  }
  // The tail is the beginning of a segment. An id may begin with it too, or the whole segment may be longer.
  return false;
}

/** With more templates than this at the bounds of a prefix, the keys are read instead. */
const MAX_STRADDLING = 1000;

/** Adds the condition for a literal prefix. False means that some row may hold names on both sides of a bound. */
async function addPrefixCondition(source: Source, rollup: string, where: Where, prefix: string): Promise<boolean> {
  const next = findNextPrefix(prefix);
  const straddling = new Where();
  straddling.and(`firstName < ${straddling.bind(prefix)}::VARCHAR AND lastName >= ${straddling.bind(prefix)}::VARCHAR`);
  const atFirstBound = straddling.sql;
  const atSecondBound =
    next === null
      ? ''
      : ` OR (firstName < ${straddling.bind(next)}::VARCHAR AND lastName >= ${straddling.bind(next)}::VARCHAR AND lastName >= ${straddling.bind(prefix)}::VARCHAR)`;
  const rows = await source.query<{ template: string; rest: boolean }>(
    `SELECT DISTINCT template, rest FROM ${rollup} ${atFirstBound}${atSecondBound} LIMIT ${MAX_STRADDLING + 1}`,
    straddling.values,
  );
  if (rows.length > MAX_STRADDLING) return false;
  // The first and the last name of these rows enclose a bound of the prefix, but perhaps none of their names begins
  // with it. The template shows whether one may.
  const beginning = foldBeginning(prefix);
  for (const { template, rest } of rows) {
    if (!(rest && template === '') && !mayBegin(template, prefix)) continue;
    // A rest row of the level of the prefix, or of a deeper one, may hold any child that begins with the prefix. Of a
    // level above, the rest row matters only if the child that leads to the prefix was cut.
    const within = rest && beginning.length > template.length;
    if (!within || (await isInRest(source, rollup, beginning))) return false;
  }
  where.and(`firstName >= ${where.bind(prefix)}::VARCHAR`);
  if (next !== null) where.and(`lastName < ${where.bind(next)}::VARCHAR`);
  return true;
}

/**
 * The complete segments of a prefix in the form that templates have. The text after the last delimiter is dropped,
 * because segments of any form may begin with it.
 */
const foldBeginning = (prefix: string) =>
  prefix
    .split(DELIMITER)
    .slice(0, -1)
    .map((segment) => `${foldSegment(segment) ?? escapeSegment(segment)}${DELIMITER}`)
    .join('');

/** Whether keys under a path may be in the rest of a level above it. */
async function isInRest(source: Source, rollup: string, path: string): Promise<boolean> {
  const segments = path.split(DELIMITER);
  if (segments.at(-1) === '') segments.pop();
  const levels = segments.map((_, i) =>
    segments
      .slice(0, i)
      .map((segment) => segment + DELIMITER)
      .join(''),
  );
  const where = new Where();
  where.and(`rest AND template IN (${levels.map((level) => `${where.bind(level)}::VARCHAR`).join(', ')})`);
  const [cut] =
    levels.length === 0
      ? []
      : await source.query<{ template: string }>(
          `SELECT template FROM ${rollup} ${where.sql} ORDER BY strlen(template) DESC LIMIT 1`,
          where.values,
        );
  if (cut === undefined) return false;
  // A child with a row of its own was kept whole. The deepest cut level decides, so the levels above it need no check.
  const child = cut.template + segments[levels.indexOf(cut.template)]!;
  const own = new Where();
  own.and(`(template = ${own.bind(child)}::VARCHAR OR starts_with(template, ${own.bind(child + DELIMITER)}::VARCHAR))`);
  return (await source.query(`SELECT 1 FROM ${rollup} ${own.sql} LIMIT 1`, own.values)).length === 0;
}

/** Whether some names of a template may begin with a prefix. */
function mayBegin(template: string, prefix: string): boolean {
  const path = parsePath(template, DELIMITER);
  const { text, whole } = findLiteralPrefix(path, DELIMITER);
  // A template as long as the limits of folded-template-sql.ts (8 segments; 512 bytes of the name, of which folding may
  // drop some) may have been cut from longer names.
  const cut = path.parts.length + 1 >= TEMPLATE_SEGMENTS || template.length >= 500;
  // A template that ends with the delimiter may come from the summary, which cuts longer templates there.
  if (whole) return cut || text.startsWith(prefix) || (text.endsWith(DELIMITER) && prefix.startsWith(text));
  if (text.startsWith(prefix)) return true;
  if (!prefix.startsWith(text)) return false;
  const folded = [...path.parts, path.tail].find((part) => 'form' in part);
  const from = text.lastIndexOf(DELIMITER) + 1;
  const end = prefix.indexOf(DELIMITER, from);
  if (end < 0 || !folded || !('form' in folded)) return true;
  return foldSegment(prefix.slice(from, end)) === folded.form;
}
