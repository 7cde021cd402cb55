import { filterWhere } from '@/lib/key-query/filter-where';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SettingSaving, SettingSavings } from '@/lib/model/reports/setting-savings';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * What keys in a full table (hashtable, skiplist) would need in a compact form, from what a scan knows: memory,
 * elements and the length of the name. Taken away from the memory: the table, its entries and the headers of strings as
 * Redis allocates them with jemalloc; what is left are the strings, which a listpack holds with three bytes each.
 * Checked against real servers, before and after the setting was changed: within 25 % of what is saved
 * (test/scans/setting-savings.itest.ts).
 * It cannot know how the lengths of one key's strings differ: a single value above the limit keeps a key in its table.
 * Nor what the strings are: integers are packed tighter, and only a set of them can be an intset.
 * Lists are chains of packed nodes already, which another node size changes by less than a hundredth.
 */
/** Element limits that are looked at; a compact form is walked from its beginning, so that more costs time. */
const ENTRY_LIMITS = [128, 256, 512, 1024];
/** Lengths of values; the first is what a server allows by itself. */
const VALUE_LIMITS = [64, 128, 256, 512];
/** A set of integers: what a server allows by itself comes first. */
const INTSET_LIMITS = [512, 1024, 2048, 4096];

/** Bytes as MEMORY USAGE counts them. */
const DICT = 56;
const DICT_ENTRY = 24;
/** zset, zskiplist and the first node of the skiplist, which has all levels. */
const SKIPLIST = 16 + 32 + 640;
/** A node with its levels: one and a third on average, in the sizes that are allocated. */
const SKIPLIST_NODE = 46;
/** Header and end of a string, and what its allocation leaves free on average. */
const STRING = 6.5;
/** Of a listpack: header, per string, per score. Its allocation leaves a sixteenth free; ziplists leave none. */
const LISTPACK = 7;
const PACKED = 2.3;
const PACKED_SCORE = 5;
const SLACK = 1.06;
/** Of the longest string that an integer of 64 bits has, as allocated. */
const INTEGER = 24;
/** Between integers of 32 and of 64 bits. */
const INTSET_MEMBER = 6;

type Row = {
  type: 'hash' | 'zset' | 'set';
  entries: number;
  value: number;
  intset: number;
  keys: number;
  bytes: number;
  saved: number;
  savedByIntset: number;
};

export async function settingSavings(source: Source, query: ReportQuery): Promise<SettingSavings> {
  const where = filterWhere(query, source, query.delimiter);
  const compact = await source.query<{ type: string; longest: number; old: boolean }>(
    `SELECT type, max(length) AS longest, bool_or(encoding = 'ziplist') AS old FROM ${source.keys}
     WHERE encoding IN ('listpack', 'ziplist') AND type IN ('hash', 'zset', 'set') GROUP BY type`,
  );
  const old = compact.some((one) => one.old);
  const [all] = await source.query<{ full: number; unknown: number }>(
    `SELECT count(*) FILTER (${FULL}) AS full, count(*) FILTER (${FULL} AND (length IS NULL OR bytes IS NULL)) AS unknown
     FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const rows = await source.query<Row>(
    `SELECT type, entries, value, intset, count(*) AS keys, sum(bytes)::DOUBLE AS bytes, sum(saved) AS saved,
       sum(savedByIntset) AS savedByIntset
     FROM (${savedSql(`FROM ${source.keys} ${where.sql}`, old ? 1 : SLACK)}) GROUP BY 1, 2, 3, 4`,
    where.values,
  );
  const longest = (type: string) => compact.find((one) => one.type === type)?.longest ?? 0;
  return {
    keys: all?.full ?? 0,
    unknown: all?.unknown ?? 0,
    savings: (['hash', 'zset', 'set'] as const).flatMap((type) => {
      const own = rows.filter((row) => row.type === type);
      // A set of words has a compact form since 7.2 only: where there is none, nobody knows whether the server has it.
      const packed = type === 'set' && longest('set') === 0 ? [] : ofListpack(own, type, old, longest(type));
      return [...packed, ...(type === 'set' ? ofIntset(own) : [])];
    }),
  };
}

const FULL = `((encoding = 'hashtable' AND type IN ('hash', 'set')) OR (encoding = 'skiplist' AND type = 'zset'))`;

/** The smallest limit that holds, of those in ascending order; one more than the last where none does. */
const limitSql = (value: string, limits: readonly number[]) =>
  `CASE ${limits.map((limit) => `WHEN ${value} <= ${limit} THEN ${limit}`).join(' ')} ELSE ${limits.at(-1)! + 1} END`;

function savedSql(from: string, slack: number): string {
  // Name with its string, the entry of the key space and the object.
  const own = `(name_bytes + ${STRING + DICT_ENTRY + 16})`;
  const table = `(${DICT} + 8 * pow(2, ceil(log2(greatest(length, 4)))))`;
  const perElement = `((bytes - ${own} - ${table} - CASE type WHEN 'zset' THEN ${SKIPLIST} ELSE 0 END) / length - ${DICT_ENTRY}
    - CASE type WHEN 'zset' THEN ${SKIPLIST_NODE} ELSE 0 END)`;
  return `SELECT type, bytes, greatest(0, bytes - own - packed) AS saved,
      greatest(0, bytes - own - 8 - length * ${INTSET_MEMBER}) AS savedByIntset,
      ${limitSql('length', ENTRY_LIMITS)} AS entries,
      ${limitSql('string', VALUE_LIMITS)} AS value,
      CASE WHEN type = 'set' AND allocated <= ${INTEGER} THEN ${limitSql('length', INTSET_LIMITS)} END AS intset
    FROM (SELECT *, (${LISTPACK} + length * (strings * (string + ${PACKED}) + CASE type WHEN 'zset' THEN ${PACKED_SCORE} ELSE 0 END)) * ${slack} AS packed
      FROM (SELECT *, greatest(1, allocated / strings - ${STRING}) AS string
        FROM (SELECT type, bytes, length, ${own} AS own, ${perElement} AS allocated, CASE type WHEN 'hash' THEN 2 ELSE 1 END AS strings
          FROM (SELECT * ${from}) WHERE ${FULL} AND length > 0 AND bytes IS NOT NULL)))`;
}

function ofListpack(rows: readonly Row[], type: SettingSaving['type'], old: boolean, longest: number): SettingSaving[] {
  const [shortest] = ENTRY_LIMITS;
  // What is compact now tells how many elements the server allows at least.
  const allowed = ENTRY_LIMITS.find((limit) => limit >= Math.max(longest, shortest!)) ?? longest;
  const name = (what: 'entries' | 'value') => `${type}-max-${old ? 'ziplist' : 'listpack'}-${what}`;
  const few = rows.filter(({ entries }) => entries <= allowed);
  const byValue = VALUE_LIMITS.slice(1).map((limit) =>
    sumOf(
      { type, setting: name('value'), limit },
      few.filter(({ value }) => value <= limit),
    ),
  );
  const byEntries = ENTRY_LIMITS.filter((limit) => limit > allowed).map((limit) =>
    sumOf(
      { type, setting: name('entries'), limit },
      rows.filter(({ entries, value }) => entries > allowed && entries <= limit && value <= VALUE_LIMITS[0]!),
    ),
  );
  return distinct([...byEntries, ...byValue]);
}

const ofIntset = (rows: readonly Row[]): SettingSaving[] =>
  distinct(
    INTSET_LIMITS.slice(1).map((limit) =>
      sumOf(
        { type: 'set', setting: 'set-max-intset-entries', limit, ifIntegers: true },
        rows
          .filter(({ intset }) => intset !== null && intset > INTSET_LIMITS[0]! && intset <= limit)
          .map((row) => ({ ...row, saved: row.savedByIntset })),
      ),
    ),
  );

const sumOf = (
  about: Pick<SettingSaving, 'type' | 'setting' | 'limit' | 'ifIntegers'>,
  rows: readonly Row[],
): SettingSaving => ({
  ...about,
  keys: rows.reduce((sum, row) => sum + row.keys, 0),
  bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
  savedBytes: Math.round(rows.reduce((sum, row) => sum + row.saved, 0)),
});

/** A higher limit that reaches no further key says nothing new. */
const distinct = (savings: readonly SettingSaving[]): SettingSaving[] =>
  savings.filter(
    (one, i) =>
      one.keys > 0 && !savings.slice(0, i).some((other) => other.setting === one.setting && other.keys === one.keys),
  );
