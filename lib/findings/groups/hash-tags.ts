import {
  ALL_SQL,
  type AllRow,
  allOf,
  type Found,
  type GroupQuestion,
  MAX_GROUPS_READ,
  numberOf,
  whereOfRule,
} from './group-answer';

/**
 * N22: hash tags that hold very many keys, or a large share of everything. A share says something only where there are
 * as many keys as one tag may have, and of more than one key: a single large key is a bigkey, whatever its tag.
 */
export const hashTags: GroupQuestion = async (source, rule, _context): Promise<Found> => {
  const where = whereOfRule(rule);
  const range = where.sql;
  const max = numberOf(rule.params, 'keys', 10_000);
  const share = `${where.bind(numberOf(rule.params, 'share', 0.01))}::DOUBLE`;
  const keys = `${where.bind(max)}::DOUBLE`;
  const rows = await source.query<AllRow & Row>(
    `WITH whole AS (SELECT count(*)::DOUBLE AS n, coalesce(sum(bytes), 0)::DOUBLE AS b FROM ${source.keys} ${range}),
       tags AS (SELECT tag, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes, any_value(slot) AS slot,
           min(name) AS example
         FROM (SELECT * FROM ${source.keys} ${range}) WHERE tag IS NOT NULL GROUP BY tag)
     SELECT tags.*, n, b, ${ALL_SQL} FROM tags, whole
     WHERE keys > ${keys} OR (n >= ${keys} AND keys > 1 AND (keys > n * ${share} OR bytes > b * ${share}))
     ORDER BY keys DESC, bytes DESC, tag LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  // Where no memory is reported, only the share of the bytes could have found one.
  const [known] = await source.query<{ n: number; tagged: number; measured: number }>(
    `SELECT count(*) AS n, count(tag) AS tagged, count(bytes) FILTER (tag IS NOT NULL) AS measured FROM ${source.keys} ${range}`,
    whereOfRule(rule).values,
  );
  const blind = known !== undefined && known.n >= max && known.tagged > 0 && known.measured === 0;
  const clustered = source.manifest.nodes.some((node) => node.slots.length > 0);
  return {
    groups: rows.map((row) => ({
      subject: `{${row.tag}}`,
      path: null,
      tag: row.tag,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        shareKeys: row.n > 0 ? row.keys / row.n : 0,
        shareBytes: row.b > 0 ? row.bytes / row.b : 0,
        slot: row.slot,
        clustered: clustered ? 1 : 0,
      },
    })),
    all: allOf(rows),
    ...(blind && { blind, unknownKeys: known.tagged }),
  };
};

interface Row {
  tag: string;
  keys: number;
  bytes: number;
  slot: number;
  example: string;
  n: number;
  b: number;
}
