import {
  ALL_SQL,
  type AllRow,
  buildRuleWhere,
  type Found,
  type GroupQuestion,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';

/** Tags that are counted at a time, so that they fit into memory. */
const TAGS_PER_PASS = 1_000_000;
const CANDIDATES = 'tag_candidates';

/**
 * N22: hash tags with very many keys, or with a large share of all keys or bytes. A share counts only if there are at
 * least as many keys as one tag may have, and only for a tag with more than one key: a single large key is a bigkey,
 * whatever its tag.
 */
export const findHashTagGroups: GroupQuestion = async (source, rule, _context): Promise<Found> => {
  const where = buildRuleWhere(rule);
  const range = where.sql;
  const [known] = await source.query<Known>(
    `SELECT count(*) AS n, count(tag) AS tagged, count(bytes) FILTER (tag IS NOT NULL) AS measured FROM ${source.keys} ${range}`,
    buildRuleWhere(rule).values,
  );
  const max = Number(rule.params.keys);
  const share = `${where.bind(Number(rule.params.share))}::DOUBLE`;
  const keys = `${where.bind(max)}::DOUBLE`;
  const large = `keys > ${keys} OR (n >= ${keys} AND keys > 1 AND (keys > n * ${share} OR bytes > b * ${share}))`;
  const whole = `whole AS (SELECT count(*)::DOUBLE AS n, coalesce(sum(bytes), 0)::DOUBLE AS b FROM ${source.keys} ${range})`;
  const tagged = `(SELECT * FROM (SELECT * FROM ${source.keys} ${range}) WHERE tag IS NOT NULL)`;
  // Count by a hash of the tag first, in several passes, because there may be as many tags as keys.
  let rows: (AllRow & Row)[];
  try {
    await source.query(`CREATE OR REPLACE TEMP TABLE ${CANDIDATES} (hashed UBIGINT)`);
    const passes = Math.max(1, Math.ceil((known?.tagged ?? 0) / TAGS_PER_PASS));
    for (let pass = 0; pass < passes; pass++) {
      await source.query(
        `INSERT INTO ${CANDIDATES} WITH ${whole},
         hashes AS (SELECT hash(tag) AS hashed, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes
           FROM ${tagged} WHERE hash(tag) % ${passes} = ${pass} GROUP BY 1)
       SELECT hashed FROM hashes, whole WHERE ${large}`,
        where.values,
      );
    }
    rows = await source.query<AllRow & Row>(
      `WITH ${whole},
       tags AS (SELECT tag, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes, any_value(slot) AS slot,
           min(name) AS example
         FROM ${tagged} WHERE hash(tag) IN (SELECT hashed FROM ${CANDIDATES}) GROUP BY tag)
     SELECT tags.*, n, b, ${ALL_SQL} FROM tags, whole
     WHERE ${large}
     ORDER BY keys DESC, bytes DESC, tag LIMIT ${MAX_GROUPS_READ}`,
      where.values,
    );
  } finally {
    await source.query(`DROP TABLE IF EXISTS ${CANDIDATES}`);
  }
  // If no memory is reported, the share of bytes cannot be checked, and it could have found a tag.
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
    all: getAllTotals(rows),
    ...(blind && { blind, unknownKeys: known.tagged }),
  };
};

interface Known extends Record<string, unknown> {
  n: number;
  tagged: number;
  measured: number;
}

interface Row {
  tag: string;
  keys: number;
  bytes: number;
  slot: number;
  example: string;
  n: number;
  b: number;
}
