import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { listKeyRanges } from '@/lib/snapshots/query/key-ranges';
import type { Source } from '@/lib/snapshots/query/with-source';
import { ALL_SQL, type AllRow, type Found, getAllTotals, MAX_GROUPS_READ } from './group-answer';

interface FamilyQuestion {
  /**
   * Returns a select over `keys` with the columns `parent` (the folded name of the family), `field`, `object`, `key`,
   * `bytes`, `repeated`, `slot`, and `tagged`, which is true if `parent` is written without the braces of a tag.
   */
  rows: (keys: string) => string;
  /** Holds the values that `rows` needs. */
  where: Where;
  minFields: number;
  minKeys: number;
  /** SQL over `keys`, `objects`, `fieldCount` and `slots` that is true if a family counts. */
  counts: string;
}

/** A set of keys that differ in one word (`field`) and in the ids of the objects they belong to. */
interface Family {
  parent: string;
  fieldCount: number;
  keys: number;
  bytes: number;
  /** Bytes of the parts of names that a hash of the object would not repeat, summed over the keys. */
  repeated: number;
  objects: number;
  slots: number;
  tagged: boolean;
  example: string;
  /** The most frequent fields, separated by commas. */
  fields: string;
}

const MAX_FIELDS_SHOWN = 20;
/** Examples are cut to this many characters. */
const EXAMPLE_LENGTH = 512;
/** SQL for the beginning of a family's name, before anything that is folded or escaped. */
const BEGINNING = `regexp_extract(parent, '^[^{\\\\]*')`;
/** Makes the names of temporary tables unique. */
let tables = 0;

/**
 * Returns the families that count, with the totals of all. Names may be hostile, with a new family or a new field for
 * every key. So keys are counted range by range, and a small family is dropped if no other range can have more of its
 * keys: all names that begin with the text before its first id are adjacent. Objects and examples are computed only for
 * families that may count, and lists of fields only for families that are read. The number of different objects is
 * approximate, but the same every time.
 */
export async function findKeyFamilies(
  source: Source,
  question: FamilyQuestion,
): Promise<{ families: Family[]; all: NonNullable<Found['all']> }> {
  const table = `families_${++tables}`;
  try {
    await countFields(source, question, table);
    const { rows, where, minFields, counts } = question;
    const candidateWhere = where.copy();
    await source.query(
      `CREATE TEMP TABLE ${table}_found AS
       WITH candidates AS (
           SELECT parent, count(*)::DOUBLE AS fieldCount, sum(keys) AS keys, sum(bytes) AS bytes,
             sum(repeated) AS repeated, max(keys) AS maxKeys
           FROM ${table}_fields GROUP BY parent HAVING count(*) >= ${candidateWhere.bind(minFields)}::DOUBLE),
         described AS (
           SELECT parent, approx_count_distinct(object)::DOUBLE AS objects, count(DISTINCT slot)::DOUBLE AS slots,
             min(left(key, ${EXAMPLE_LENGTH})) AS example, bool_or(tagged) AS tagged
           FROM (${rows(source.keys)}) SEMI JOIN candidates USING (parent) GROUP BY parent)
       SELECT * REPLACE (greatest(objects, maxKeys) AS objects) FROM candidates JOIN described USING (parent)`,
      candidateWhere.values,
    );
    const shown = `FROM ${table}_found WHERE ${counts} ORDER BY keys DESC, parent LIMIT ${MAX_GROUPS_READ}`;
    const read = await source.query<AllRow & Omit<Family, 'fields'>>(`SELECT *, ${ALL_SQL} ${shown}`);
    const listed = await source.query<{ parent: string; fields: string }>(
      `WITH shown AS (SELECT parent ${shown})
       SELECT parent, array_to_string(min_by(field, {keys: -keys, field: field}, ${MAX_FIELDS_SHOWN}), ', ') AS fields
       FROM ${table}_fields SEMI JOIN shown USING (parent) GROUP BY parent`,
    );
    const fieldsByParent = new Map(listed.map((row) => [row.parent, row.fields]));
    return {
      families: read.map((row) => ({ ...row, fields: fieldsByParent.get(row.parent) ?? '' })),
      all: getAllTotals(read),
    };
  } finally {
    for (const part of ['range', 'counted', 'fields', 'found'])
      await source.query(`DROP TABLE IF EXISTS ${table}_${part}`);
  }
}

/** Creates the table `…_fields` with the keys by family and field, for families with at least `minKeys` keys. */
async function countFields(source: Source, { rows, where, minKeys }: FamilyQuestion, table: string): Promise<void> {
  const min = Math.ceil(minKeys);
  let isCreated = false;
  for (const keys of listKeyRanges(source)) {
    const [ends] = await source.query<{ low: string | null; high: string | null }>(
      `SELECT min(name) AS low, max(name) AS high FROM ${keys}`,
    );
    await source.query(
      `CREATE OR REPLACE TEMP TABLE ${table}_range AS
       SELECT parent, field, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes,
         sum(repeated)::DOUBLE AS repeated, bool_or(tagged) AS tagged
       FROM (${rows(keys)}) GROUP BY 1, 2`,
      where.values,
    );
    // A name begins differently without the braces of its tag, so families with tagged names are always kept.
    const mayContinue = `starts_with($1::VARCHAR, ${BEGINNING}) OR starts_with($2::VARCHAR, ${BEGINNING})`;
    await source.query(
      `${isCreated ? `INSERT INTO ${table}_counted` : `CREATE TEMP TABLE ${table}_counted AS`}
       SELECT parent, field, keys, bytes, repeated FROM ${table}_range SEMI JOIN (
         SELECT parent FROM ${table}_range GROUP BY parent HAVING sum(keys) >= ${min} OR bool_or(tagged) OR ${mayContinue}
       ) USING (parent)`,
      [ends?.low ?? '', ends?.high ?? ''],
    );
    isCreated = true;
  }
  await source.query(
    `CREATE TEMP TABLE ${table}_fields AS
     SELECT parent, field, sum(keys) AS keys, sum(bytes) AS bytes, sum(repeated) AS repeated
     FROM ${table}_counted SEMI JOIN (SELECT parent FROM ${table}_counted GROUP BY parent HAVING sum(keys) >= ${min})
       USING (parent) GROUP BY 1, 2`,
  );
}
