import { KINDS } from '@/lib/key-query/segment-kind';
import { Where } from '@/lib/key-query/where-clause';
import { type Found, type FoundGroup, type GroupQuestion, numberOf } from './group-answer';
import { templatesTable } from './templates';

/**
 * C12: more applications on one instance than wanted. A first segment with a share of the keys counts as one; those of
 * one registered team count as one together. Ids are no applications. Broken or not is asked of the whole; the groups
 * tell who lives there.
 */
const MAX_FIRST = 1000;

export const applications: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const templates = await templatesTable(source, rule, context);
  const where = new Where();
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const share = `${where.bind(numberOf(rule.params, 'share', 0.01))}::DOUBLE`;
  const rows = await source.query<Row & Record<string, unknown>>(
    `WITH named AS (
         SELECT split_part(template, ${separator}, 1) AS first, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(firstName) AS example
         FROM ${templates} WHERE contains(template, ${separator}) GROUP BY 1),
       whole AS (SELECT sum(keys)::DOUBLE AS n FROM ${templates})
     SELECT first, keys, bytes, example, keys / n AS share FROM named, whole
     WHERE keys >= n * ${share} AND NOT regexp_full_match(first, '[{](${KINDS.join('|')})[}]')
     ORDER BY keys DESC, first LIMIT ${MAX_FIRST}`,
    where.values,
  );
  const found = rows.map((row): FoundGroup & { owner: string | null } => {
    const path = row.first + context.delimiter;
    return {
      subject: path,
      path,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { share: row.share },
      owner: context.ownerOf(path),
    };
  });
  const counted = found.filter((group) => !context.exempt(rule.id, group.path ?? ''));
  const count = new Set(
    counted.map((group) => (group.owner === null ? `prefix ${group.subject}` : `team ${group.owner}`)),
  ).size;
  if (count <= numberOf(rule.params, 'applications', 5)) return { groups: [] };
  return {
    groups: found.map(({ owner: _owner, ...group }) => ({
      ...group,
      figures: { ...group.figures, applications: count },
    })),
  };
};

interface Row {
  first: string;
  keys: number;
  bytes: number;
  example: string;
  share: number;
}
