import { KINDS } from '@/lib/model/names/written-segment';
import {
  ALL_SQL,
  type AllRow,
  type Found,
  type GroupQuestion,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { makeTemplatesTable } from './templates';

/** Length that a shortened word could have. */
const SHORT_BYTES = 2;

/**
 * N17: what families of keys would save with shorter words. It counts literal segments of letters that are longer than
 * `wordBytes`, and assumes that each could have two bytes. This is a hint with an example of such a name, not an order:
 * readable names have their own worth. Families in the rest of a wide level are not counted: each is smaller than a
 * thousand others of that level.
 */
export const findLongWords: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const templates = await makeTemplatesTable(source, rule, context);
  const where = new Where();
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const longest = Number(rule.params.wordBytes);
  const min = `${where.bind(Number(rule.params.savedBytes))}::DOUBLE`;
  const max = `${where.bind(longest)}::DOUBLE`;
  const rows = await source.query<AllRow & Row>(
    `WITH spare AS (
         SELECT template, keys, bytes, firstName,
           coalesce(list_sum(list_transform(list_filter(string_split(template, ${separator}), lambda s: ${wordSql('s')} AND strlen(s) > ${max}),
             lambda s: strlen(s) - ${SHORT_BYTES})), 0)::DOUBLE AS spared
         FROM ${templates} WHERE NOT rest),
       found AS (
         SELECT template, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, sum(keys * spared)::DOUBLE AS saved, min(firstName) AS example
         FROM spare WHERE spared > 0 GROUP BY template)
     SELECT *, ${ALL_SQL} FROM found WHERE saved >= ${min} ORDER BY saved DESC, template LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  return {
    groups: rows.map((row) => ({
      subject: row.template,
      path: row.template,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { savedBytes: row.saved, shorter: shortenWords(row.template, context.delimiter, longest) },
    })),
    all: getAllTotals(rows),
  };
};

const wordSql = (s: string) => `regexp_full_match(${s}, '[A-Za-z][A-Za-z._-]*')`;
const FOLDED = new RegExp(`^\\{(${KINDS.join('|')})\\}$`);

/**
 * Shortens the long words of a template so that different words stay different: `user:{int}:friends:messages:{int}` →
 * `u:{int}:fr:me:{int}`.
 */
export function shortenWords(template: string, delimiter: string, longest: number): string {
  const segments = template.split(delimiter);
  const taken = new Set(segments.filter((segment) => !isLong(segment, longest)));
  return segments
    .map((segment) => {
      if (FOLDED.test(segment) || !isLong(segment, longest)) return segment;
      for (let length = SHORT_BYTES; length < segment.length; length++) {
        const short = segment.slice(0, length);
        if (!taken.has(short) && !/[._-]$/.test(short)) {
          taken.add(short);
          return short;
        }
      }
      return segment;
    })
    .join(delimiter);
}

const isLong = (segment: string, longest: number) => /^[A-Za-z][A-Za-z._-]*$/.test(segment) && segment.length > longest;

interface Row {
  template: string;
  keys: number;
  bytes: number;
  saved: number;
  example: string;
}
