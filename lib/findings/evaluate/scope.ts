import { type RulesMeta, rollupOf, SUMMARY_SEGMENTS, summaryOf } from '@/lib/findings/policy/rules-folder';
import { literalPrefix, parsePath } from '@/lib/key-query/folded-path';
import { nextPrefix } from '@/lib/key-query/next-prefix';
import { Where } from '@/lib/key-query/where-clause';
import { foldedSegment } from '@/lib/model/names/folded-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import { wellFormed } from '@/lib/model/text/well-formed';
import type { Source } from '@/lib/snapshots/query/with-source';
import { TEMPLATE_SEGMENTS } from './folded-template-sql';

/**
 * Which rows of the roll-up are exactly the keys of a query. A path in folded form is a beginning of the templates; a
 * literal prefix holds whole rows unless some row's names lie on both sides of its bounds. Of a level that was cut
 * (cut-levels.ts) the children that stayed are whole; any other may be in its rest. null: the roll-up cannot tell, ask
 * the keys.
 */
const SHAPING = new Set([
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

export interface EvaluationScope {
  /** The roll-up or its summary, as a sub-select in brackets. */
  rows: string;
  where: Where;
}

/** `segments`: how many segments of the templates are needed. */
export async function evaluationScope(
  source: Source,
  meta: RulesMeta | null,
  query: ReportQuery,
  segments = 0,
): Promise<EvaluationScope | null> {
  if (meta === null) return null;
  const written = (query.template ?? query.prefix ?? '').split(DELIMITER);
  // What stands behind the last delimiter of a path is a segment too, and the summary may have cut it away.
  const leaf = query.template !== undefined && written.at(-1) !== '' ? 1 : 0;
  const needed = Math.max(segments, written.length - 1 + leaf);
  const candidates = [...(needed <= SUMMARY_SEGMENTS ? [summaryOf(source.dir, meta)] : []), rollupOf(source.dir, meta)];
  for (const rows of candidates) {
    const where = await scopeIn(source, rows, query);
    if (where !== null) return { rows, where };
  }
  return null;
}

async function scopeIn(source: Source, rollup: string, query: ReportQuery): Promise<Where | null> {
  for (const [field, value] of Object.entries(query)) if (isSet(value) && !SHAPING.has(field)) return null;
  if (query.delimiter !== undefined && query.delimiter !== DELIMITER && query.template) return null;
  const where = new Where();
  if (query.template) {
    const path = wellFormed(query.template);
    if (!ofPath(where, path) || (await inRest(source, rollup, path))) return null;
  }
  if (query.prefix && !(await ofPrefix(source, rollup, where, wellFormed(query.prefix)))) return null;
  return where;
}

/** False: templates cannot tell. */
function ofPath(where: Where, path: string): boolean {
  const { parts, tail } = parsePath(path, DELIMITER);
  if (parts.length >= TEMPLATE_SEGMENTS) return false;
  // A literal segment that looks like an id is one of many in its template.
  if (parts.some((part) => 'text' in part && foldedSegment(part.text) !== null)) return false;
  const head = path.slice(0, path.lastIndexOf(DELIMITER) + 1);
  if ('form' in tail) {
    const text = where.bind(path);
    where.and(`(template = ${text}::VARCHAR OR starts_with(template, concat(${text}::VARCHAR, ':')))`);
    return true;
  }
  if (tail.text === '') {
    if (head !== '')
      where.and(`template >= ${where.bind(head)}::VARCHAR AND template < ${where.bind(nextPrefix(head)!)}::VARCHAR`);
    return true;
  }
  // The beginning of a segment: an id may begin so too, or the whole segment may be longer than its beginning tells.
  return false;
}

async function ofPrefix(source: Source, rollup: string, where: Where, prefix: string): Promise<boolean> {
  const next = nextPrefix(prefix);
  const straddling = new Where();
  straddling.and(`firstName < ${straddling.bind(prefix)}::VARCHAR AND lastName >= ${straddling.bind(prefix)}::VARCHAR`);
  const before = straddling.sql;
  const ends =
    next === null
      ? ''
      : ` OR (firstName < ${straddling.bind(next)}::VARCHAR AND lastName >= ${straddling.bind(next)}::VARCHAR AND lastName >= ${straddling.bind(prefix)}::VARCHAR)`;
  const rows = await source.query<{ template: string; rest: boolean }>(
    `SELECT DISTINCT template, rest FROM ${rollup} ${before}${ends} LIMIT 1001`,
    straddling.values,
  );
  // Names of such a row lie around the prefix, yet none of them need begin with it: its template says.
  if (rows.length > 1000) return false;
  const beginning = foldedBeginning(prefix);
  for (const { template, rest } of rows) {
    if (!(rest && template === '') && !mayBegin(template, prefix)) continue;
    // Of the level itself, and of all above, any child may begin so.
    const within = rest && beginning.length > template.length;
    if (!within || (await inRest(source, rollup, beginning))) return false;
  }
  where.and(`firstName >= ${where.bind(prefix)}::VARCHAR`);
  if (next !== null) where.and(`lastName < ${where.bind(next)}::VARCHAR`);
  return true;
}

/** The segments of a prefix as they stand in templates; what is behind the last delimiter says too little. */
const foldedBeginning = (prefix: string) =>
  prefix
    .split(DELIMITER)
    .slice(0, -1)
    .map((segment) => `${foldedSegment(segment) ?? escapeSegment(segment)}${DELIMITER}`)
    .join('');

/** Whether keys under a path may be in the rest of a level above it. */
async function inRest(source: Source, rollup: string, path: string): Promise<boolean> {
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
  // A child with a row of its own stayed. What stayed below it is no concern of the levels above.
  const child = cut.template + segments[levels.indexOf(cut.template)]!;
  const own = new Where();
  own.and(`(template = ${own.bind(child)}::VARCHAR OR starts_with(template, ${own.bind(child + DELIMITER)}::VARCHAR))`);
  return (await source.query(`SELECT 1 FROM ${rollup} ${own.sql} LIMIT 1`, own.values)).length === 0;
}

/** Whether some names of a template may begin with a prefix. */
function mayBegin(template: string, prefix: string): boolean {
  const path = parsePath(template, DELIMITER);
  const { text, whole } = literalPrefix(path, DELIMITER);
  // A template as long as the cut may stand for longer names.
  const cut = path.parts.length + 1 >= TEMPLATE_SEGMENTS || template.length >= 500;
  // One that ends with the delimiter may be a summary's.
  if (whole) return cut || text.startsWith(prefix) || (text.endsWith(DELIMITER) && prefix.startsWith(text));
  if (text.startsWith(prefix)) return true;
  if (!prefix.startsWith(text)) return false;
  const folded = [...path.parts, path.tail].find((part) => 'form' in part);
  const from = text.lastIndexOf(DELIMITER) + 1;
  const end = prefix.indexOf(DELIMITER, from);
  if (end < 0 || !folded || !('form' in folded)) return true;
  return foldedSegment(prefix.slice(from, end)) === folded.form;
}
