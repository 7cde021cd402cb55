import { FRAMEWORKS } from '@/lib/model/names/frameworks';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FrameworkFound, FrameworkPlace, FrameworksReport } from '@/lib/model/reports/reports';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { sumTotals, type TotalsRow, toTotals, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import { quote } from '@/lib/snapshots/query/duckdb';
import type { RolledSource } from './cells';

/** The most places of one form that are listed; the keys of the others are counted. */
const MAX_PLACES = 20;

/** Every form with its framework. Strong forms come first: a weak one matches names of other programs too. */
const FORMS = FRAMEWORKS.flatMap((framework) => framework.forms.map((form) => ({ framework, form }))).sort(
  (a, b) => Number(a.form.weak ?? false) - Number(b.form.weak ?? false),
);

/** SQL that is true for templates with one of the forms. It is one expression over the template alone, so that the
 * database evaluates it once for each template of a file's dictionary. */
const ANY_FORM = `regexp_full_match(template, ${quote(`(?s)(?:${FORMS.map(({ form }) => toWhole(form.pattern)).join('|')})`)})`;

/** SQL for the index of the form of a template and type; NULL = it has none. */
const FORM = `CASE ${FORMS.map(({ form }, i) => `WHEN ${matchesSql(form)} THEN ${i}`).join(' ')} END`;
/** SQL for the beginning that the names of the form share. */
const PLACE = `CASE form ${FORMS.map(
  ({ form }, i) => `WHEN ${i} THEN regexp_extract(template, ${quote(`(?s)^${form.pattern}`)}, 1)`,
).join(' ')} END`;

function toWhole(pattern: string): string {
  return pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}.*`;
}

function matchesSql({ pattern, types }: (typeof FORMS)[number]['form']): string {
  const ofType = types === undefined ? '' : ` AND type IN (${types.map(quote).join(', ')})`;
  return `regexp_full_match(template, ${quote(`(?s)${toWhole(pattern)}`)})${ofType}`;
}

type Row = TotalsRow & {
  form: number;
  place: string;
  /** The first name of the commonest template of the place. */
  example: string;
  /** The number of places of the form. */
  places: number;
  /** The keys, bytes and unknown sizes of all places of the form. */
  formKeys: number;
  formBytes: number;
  formBytesUnknown: number;
};

/**
 * The report on keys that frameworks have named. It reads the templates of all keys of the query, which the files store
 * as numbers, so the counts are exact.
 */
export async function buildFrameworksReport(source: RolledSource, query: ReportQuery): Promise<FrameworksReport> {
  const { keys, where } = selectFilteredKeys(source, query);
  const [total] = await source.query<TotalsRow>(`SELECT ${totalsSql} FROM ${keys} ${where.sql}`, where.values);
  const narrowed = where.sql === '' ? 'WHERE' : `${where.sql} AND`;
  // Without MATERIALIZED the database copies the expression of the form into each branch of that of the place.
  const rows = await source.query<Row>(
    `WITH templates AS MATERIALIZED (SELECT template, type, ${totalsSql}, min(name) AS example FROM ${keys} ${narrowed} ${ANY_FORM} GROUP BY 1, 2),
       formed AS MATERIALIZED (SELECT *, ${FORM} AS form FROM templates),
       placed AS (SELECT *, ${PLACE} AS place FROM formed WHERE form IS NOT NULL),
       places AS (
         SELECT form, place, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
           arg_min(example, {'keys': -keys, 'example': example}) AS example FROM placed GROUP BY 1, 2)
     SELECT *, count(*) OVER form AS places, sum(keys) OVER form::DOUBLE AS formKeys, sum(bytes) OVER form AS formBytes,
       sum(bytesUnknown) OVER form::DOUBLE AS formBytesUnknown
     FROM places WINDOW form AS (PARTITION BY form)
     QUALIFY row_number() OVER (PARTITION BY form ORDER BY keys DESC, place) <= ${MAX_PLACES}
     ORDER BY form, keys DESC, place`,
    where.values,
  );
  const found = FRAMEWORKS.flatMap((framework) => {
    const own = rows.filter((row) => FORMS[row.form]!.framework === framework);
    const isProven = own.some((row) => FORMS[row.form]!.form.weak !== true);
    return isProven ? [{ framework, rows: own }] : [];
  });
  return {
    ...toTotals(total),
    frameworks: found
      .map(({ framework: { id, name, url, violates }, rows }): FrameworkFound => {
        const forms = [...new Map(rows.map((row) => [row.form, row])).values()];
        const sums = forms.map((row) => ({
          ...{ keys: row.formKeys, bytes: row.formBytes, bytesUnknown: row.formBytesUnknown },
        }));
        const places = mergePlaces(rows);
        return {
          ...{ id, name, url, violates, ...sumTotals(sums) },
          example: findLargest(rows).example,
          places: places.slice(0, MAX_PLACES),
          placeCount: Math.max(places.length, ...forms.map((row) => row.places)),
        };
      })
      .sort((a, b) => b.keys - a.keys || (a.id < b.id ? -1 : 1)),
  };
}

const findLargest = (rows: readonly Row[]): Row => rows.reduce((best, row) => (row.keys > best.keys ? row : best));

/** The places of all forms, most keys first. Forms may share a place. */
function mergePlaces(rows: readonly Row[]): FrameworkPlace[] {
  const byPath = new Map<string, FrameworkPlace>();
  for (const { form, place, keys } of rows) {
    const { whole: end = false, glob = null } = FORMS[form]!.form;
    const key = JSON.stringify([place, end]);
    byPath.set(key, { path: place, end, glob, keys: (byPath.get(key)?.keys ?? 0) + keys });
  }
  return [...byPath.values()].sort((a, b) => b.keys - a.keys || (a.path < b.path ? -1 : 1));
}
