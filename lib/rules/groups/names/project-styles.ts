import {
  ALL_SQL,
  type AllRow,
  type Found,
  type GroupQuestion,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { FOLDED_SEGMENT, STYLES, wordStylesSql } from '@/lib/snapshots/name-sql/word-styles';
import { makeTemplatesTable } from './templates';

/** Maximum number of spellings that are reported of one name; the commonest come first. */
const MAX_SPELLINGS = 5;

/**
 * SQL for the table `spelt`: first segments that are a rarer spelling of another one. Signs are ignored only between
 * letters: v1.2 and v12 are two names.
 */
function spellingsSql(styled: string, folded: string, share: string): string {
  // Replace twice, because in a_b_c the letter b belongs to two matches.
  const stripSigns = (s: string) => `regexp_replace(${s}, '([A-Za-z])[._-]+([A-Za-z])', '\\1\\2', 'g')`;
  return `firsts AS (
         SELECT first, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, lower(${stripSigns(stripSigns('first'))}) AS spoken
         FROM ${styled} WHERE regexp_matches(first, '[A-Za-z]{2}') AND NOT regexp_full_match(first, ${folded}) GROUP BY 1),
       rivals AS (SELECT *, sum(keys) OVER (PARTITION BY spoken) AS total FROM firsts),
       counting AS (SELECT * FROM rivals WHERE keys >= total * ${share}),
       compared AS (
         SELECT *, row_number() OVER w AS place, count(*) OVER (PARTITION BY spoken) AS spellingCount FROM counting
         WINDOW w AS (PARTITION BY spoken ORDER BY keys DESC, first)),
       reported AS (
         SELECT spoken, to_json(list({first: first, share: keys / total} ORDER BY place))::VARCHAR AS spellings
         FROM compared WHERE place <= ${MAX_SPELLINGS} AND spellingCount > 1 GROUP BY 1),
       spelt AS (
         SELECT first, keys, bytes, spellings, spellingCount::INTEGER AS spellingCount
         FROM compared JOIN reported USING (spoken) WHERE place > 1)`;
}

/**
 * N15: projects (first segments) whose words are written in more than one style. Folded segments are ids and not words;
 * single letters and digits are not words either. A plain lower-case word fits camelCase, snake_case, kebab-case and
 * dotted names (their first words look like that), and an upper-case word fits UPPER_SNAKE: these are no second style.
 * The keys in all styles but the commonest violate the rule.
 *
 * Projects themselves are compared too: first segments that differ only in case and in signs between letters
 * (UserAdmin, userAdmin, user_admin) are one name. Every spelling but the commonest violates the rule, with all keys
 * below it.
 *
 * Projects that are only in the rest of a wide first level (more than a thousand have more keys) are evaluated for
 * neither.
 */
export const findProjectStyles: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const templates = await makeTemplatesTable(source, rule, context);
  const where = new Where();
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const share = `${where.bind(Number(rule.params.share))}::DOUBLE`;
  const folded = FOLDED_SEGMENT;
  const first = `split_part(template, ${separator}, 1)`;
  // The styles of a rest row were determined when its level was cut.
  const styles = `CASE WHEN rest THEN styles ELSE ${wordStylesSql(context.delimiter, separator)} END`;
  // Select only numbers besides the first segment, because there may be as many first segments as keys.
  const rows = await source.query<AllRow & Row>(
    `WITH styled AS (
         SELECT ${first} AS first, ${styles} AS styles, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes
         FROM ${templates} WHERE contains(template, ${separator}) GROUP BY 1, 2),
       projects AS (SELECT first, sum(keys)::DOUBLE AS total FROM styled WHERE NOT regexp_full_match(first, ${folded}) GROUP BY 1),
       counted AS (
         SELECT first, style, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes
         FROM styled, (SELECT unnest(range(8))::UTINYINT AS style) WHERE (styles >> style) & 1 = 1 GROUP BY 1, 2),
       heavy AS (
         SELECT counted.*, total, counted.keys / total AS share,
           bool_or(style IN (2, 4, 6, 7)) OVER w AS lowerFits, bool_or(style = 5) OVER w AS upperFits
         FROM counted JOIN projects USING (first) WHERE counted.keys >= total * ${share} WINDOW w AS (PARTITION BY first)),
       real AS (SELECT * FROM heavy WHERE NOT (style = 0 AND lowerFits) AND NOT (style = 1 AND upperFits)),
       mixed AS (
         SELECT first, least(sum(keys) - max(keys), any_value(total))::DOUBLE AS keys,
           (sum(bytes) - arg_max(bytes, keys))::DOUBLE AS bytes, arg_min(style, {'keys': keys, 'style': style})::INTEGER AS rarest,
           to_json(list({style: style, share: share} ORDER BY keys DESC, style))::VARCHAR AS styles
         FROM real GROUP BY first HAVING count(*) > 1),
       ${spellingsSql('styled', folded, share)},
       found AS (
         SELECT first, coalesce(spelt.keys, mixed.keys) AS keys, coalesce(spelt.bytes, mixed.bytes) AS bytes,
           rarest, styles, spellings, spellingCount
         FROM mixed FULL JOIN spelt USING (first))
     SELECT *, ${ALL_SQL} FROM found ORDER BY keys DESC, first LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  const examples = await readStyleExamples(rows);
  const [cut] = await source.query<{ keys: number | null }>(
    `SELECT sum(keys)::DOUBLE AS keys FROM ${templates} WHERE rest AND template = '' AND styles IS NOT NULL`,
  );

  /** Returns for each project a name in its rarest style, from the largest family with that style. */
  async function readStyleExamples(projects: readonly Row[]): Promise<Map<string, string>> {
    if (projects.length === 0) return new Map();
    // For a spelling any key below it is an example.
    const wanted = `${where.bind(JSON.stringify(projects.map((row) => ({ f: row.first, r: row.spellings ? -1 : row.rarest }))))}::VARCHAR`;
    // Every bound value must be used, so the share is mentioned, although it is not compared again.
    const found = await source.query<{ first: string; example: string }>(
      `SELECT first, arg_max(firstName, {'keys': keys, 'name': firstName}) AS example
       FROM (SELECT ${first} AS first, keys, firstName, ${styles} AS styles FROM ${templates}
           WHERE contains(template, ${separator}) AND ${share} IS NOT NULL)
         JOIN (SELECT unnest(from_json(${wanted}, '[{"f":"VARCHAR","r":"INTEGER"}]'), recursive := true)) ON first = f
       WHERE r < 0 OR (styles >> r) & 1 = 1 GROUP BY 1`,
      where.values,
    );
    return new Map(found.map((row) => [row.first, row.example]));
  }

  return {
    groups: rows.map((row) => {
      const styles = JSON.parse(row.styles ?? '[]') as { style: number; share: number }[];
      const spellings = JSON.parse(row.spellings ?? '[]') as { first: string; share: number }[];
      return {
        subject: row.first + context.delimiter,
        path: row.first + context.delimiter,
        keys: row.keys,
        bytes: row.bytes,
        example: examples.get(row.first) ?? null,
        figures: {
          ...(styles.length > 0 && {
            styles: styles.map((s) => `${STYLES[s.style]} ${toPercentText(s.share)}`).join(', '),
            styleCount: styles.length,
          }),
          ...(spellings.length > 0 && {
            spellings: spellings.map((s) => `${s.first} ${toPercentText(s.share)}`).join(', '),
            spellingCount: row.spellingCount!,
          }),
        },
      };
    }),
    all: getAllTotals(rows),
    unknownKeys: cut?.keys ?? 0,
  };
};

const toPercentText = (share: number) => `${share >= 0.1 ? Math.round(share * 100) : Math.round(share * 1000) / 10} %`;

interface Row {
  first: string;
  keys: number;
  bytes: number;
  rarest: number | null;
  styles: string | null;
  spellings: string | null;
  spellingCount: number | null;
}
