import { KINDS } from '@/lib/model/names/written-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { buildRuleWhere, type Found, type GroupQuestion } from '@/lib/rules/groups/counts/group-answer';
import { findKeyFamilies } from '@/lib/rules/groups/counts/key-families';
import { keyTemplateSql, templateSql } from '@/lib/snapshots/key-query/template-sql';

/** Each key takes these bytes besides its name and its value: a dictionary entry and an object header. */
export const KEY_OVERHEAD_BYTES = 56;
const MIN_FIELDS_PER_OBJECT = 1.5;

/**
 * V13: one object is spread over sibling strings, `user:{int}:name`, `user:{int}:age`: names that end with a word after
 * an id and differ only in that word. Objects are counted to see that the ids are of the same objects (approximately,
 * but the same every time): on average more than half of the objects must have a second field; otherwise the words are
 * families of their own. The braces of a hash tag are no part of an id: `{user:17}:name` and `user:{17}:name` are names
 * of an object like `user:17:name`.
 *
 * What a hash would save is an estimate: each key but one per object costs a dictionary entry and an object header, and
 * repeats the beginning of its name.
 */
export const findSiblingStrings: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const untyped = buildRuleWhere(rule).and('type IS NULL');
  const [unknown] = await source.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.keys} ${untyped.sql}`,
    untyped.values,
  );
  const where = buildRuleWhere(rule);
  where.and(`type = 'string'`);
  const d = escapeRegex(context.delimiter);
  const isOneCharacter = Array.from(context.delimiter).length === 1;
  const withinSegment = isOneCharacter ? `[^${d}]*` : '.*';
  const lastWord = isOneCharacter ? `[^${d}0-9]+` : '[^0-9]+';
  // After an id (which has a digit or an @) there must be one last word without digits. This excludes most names before
  // they are folded.
  const shape = `(?s)(?:^|${d})${withinSegment}[0-9@]${withinSegment}${d}${lastWord}$`;
  where.and(`regexp_matches(name, ${where.bind(shape)}::VARCHAR)`);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  // The column `template` describes the name with the braces of its tag, so tagged names are folded again.
  const untagged = keyTemplateSql(where, context.delimiter);
  const template = `CASE WHEN tagged THEN ${templateSql(where, context.delimiter)} ELSE ${untagged} END`;
  const rows = (keys: string) => `WITH folded AS (
         SELECT name, key, tagged, slot, name_bytes, bytes, string_split(name, ${separator})[-1] AS field, ${template} AS template
         FROM (SELECT CASE WHEN tag IS NULL THEN name ELSE translate(name, '{}', '') END AS name, name AS key, tag IS NOT NULL AS tagged,
             slot, name_bytes, bytes, template FROM ${keys} ${where.sql})),
       cut AS (
         SELECT field, left(template, length(template) - length(string_split(template, ${separator})[-1])) AS parent, slot,
           bytes, name_bytes - strlen(field) AS repeated, key, tagged, left(name, length(name) - length(field)) AS object FROM folded)
     SELECT * FROM cut WHERE regexp_matches(parent, '[{](${KINDS.join('|')})[}][^{}]{1,4}$')`;
  const { families, all } = await findKeyFamilies(source, {
    rows,
    where,
    minFields: Number(rule.params.fields),
    minKeys: Number(rule.params.objects),
    counts: `keys > objects * ${MIN_FIELDS_PER_OBJECT}`,
  });
  return {
    groups: families.map((row) => {
      const spared = row.keys - row.objects;
      return {
        subject: row.parent,
        // With their braces the segments are not ids, so no path leads to them.
        path: row.tagged ? null : row.parent,
        keys: row.keys,
        bytes: row.bytes,
        example: row.example,
        figures: {
          fields: row.fields,
          fieldCount: row.fieldCount,
          objects: row.objects,
          savedBytes: Math.round(spared * (KEY_OVERHEAD_BYTES + row.repeated / row.keys)),
        },
      };
    }),
    all,
    unknownKeys: unknown?.n ?? 0,
  };
};
