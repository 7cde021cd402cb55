import type { ReportQuery } from '@/lib/model/reports/query';
import type { SettingSaving, SettingSavings } from '@/lib/model/reports/setting-savings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import {
  ALLOCATED_SQL,
  IN_TABLE_SQL,
  OWN_BYTES_SQL,
  STRING_BYTES,
  STRINGS_SQL,
  stringSql,
} from '@/lib/snapshots/key-query/element-bytes-sql';
import { type BoundedSource, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';

/** Element limits that are tried. A compact form is walked from its beginning, so a higher limit costs time. */
const ENTRY_LIMITS = [128, 256, 512, 1024];
/** Lengths of values that are tried; the first is the default of the server. */
const VALUE_LIMITS = [64, 128, 256, 512];
/** Limits for a set of integers that are tried; the first is the default of the server. */
const INTSET_LIMITS = [512, 1024, 2048, 4096];

/**
 * Bytes of a listpack: its header, per string, and per score. Its allocation leaves a sixteenth free; ziplists leave
 * none.
 */
const LISTPACK = 7;
const PACKED = 2.3;
const PACKED_SCORE = 5;
const SLACK = 1.06;
/** Allocated bytes of the longest string that is an integer of 64 bits. */
const INTEGER = 24;
/** Bytes per member of an intset, between integers of 32 and of 64 bits. */
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

/**
 * Returns the server if its tables are not those that the estimate assumes: since 8.1, Valkey keeps hashes, and later
 * sorted sets, in tables that need less for each element, so that up to twice too much would be promised.
 */
function findOtherTables({ flavor, version }: Pick<SnapshotManifest, 'flavor' | 'version'>): string | null {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return flavor === 'valkey' && (major > 8 || (major === 8 && minor >= 1)) ? `Valkey ${version}` : null;
}

/**
 * Estimates what keys in a full table (hashtable, skiplist) would need in a compact form: a listpack of their strings
 * (lib/snapshots/key-query/element-bytes-sql.ts), with three bytes more for each. It was checked against real servers,
 * before and after the setting was changed: within 25 % of what is saved (test/scans/setting-savings.itest.ts). The
 * estimate cannot know how the lengths of one key's strings differ, and a single value above the limit keeps a key in
 * its table. It cannot know what the strings are either: integers are packed tighter, and only a set of them can be an
 * intset. Lists are chains of packed nodes already; another node size changes them by less than a hundredth.
 */
export async function findSettingSavings(source: BoundedSource, query: ReportQuery): Promise<SettingSavings> {
  const { keys, where } = selectFilteredKeys(source, query);
  const notEstimatedFor = findOtherTables(source.manifest);
  if (notEstimatedFor !== null) {
    const sql = `SELECT count(*) FILTER (${IN_TABLE_SQL}) AS full FROM ${keys} ${where.sql}`;
    const [all] = await source.query<{ full: number }>(sql, where.values);
    return { keys: all?.full ?? 0, unknown: 0, notEstimatedFor, savings: [] };
  }
  const compact = await source.query<{ type: string; longest: number; old: boolean }>(
    `SELECT type, max(length) AS longest, bool_or(encoding = 'ziplist') AS old FROM ${source.keys}
     WHERE encoding IN ('listpack', 'ziplist') AND type IN ('hash', 'zset', 'set') GROUP BY type`,
  );
  const usesZiplists = compact.some((row) => row.old);
  const [all] = await source.query<{ full: number; unknown: number }>(
    `SELECT count(*) FILTER (${IN_TABLE_SQL}) AS full, count(*) FILTER (${IN_TABLE_SQL} AND (length IS NULL OR bytes IS NULL)) AS unknown
     FROM ${keys} ${where.sql}`,
    where.values,
  );
  const rows = await source.query<Row>(
    `SELECT type, entries, value, intset, count(*) AS keys, sum(bytes)::DOUBLE AS bytes, sum(saved) AS saved,
       sum(savedByIntset) AS savedByIntset
     FROM (${savedSql(`FROM ${keys} ${where.sql}`, usesZiplists ? 1 : SLACK)}) GROUP BY 1, 2, 3, 4`,
    where.values,
  );
  const findLongest = (type: string) => compact.find((row) => row.type === type)?.longest ?? 0;
  return {
    keys: all?.full ?? 0,
    unknown: all?.unknown ?? 0,
    savings: (['hash', 'zset', 'set'] as const).flatMap((type) => {
      const own = rows.filter((row) => row.type === type);
      // A set of words has a compact form only since 7.2. If no key has it, it is unknown whether the server supports
      // it.
      const longest = findLongest(type);
      const packed = type === 'set' && longest === 0 ? [] : findListpackSavings(own, type, usesZiplists, longest);
      const found = [...packed, ...(type === 'set' ? findIntsetSavings(own) : [])];
      return found.map((saving) => addSavingFilter(saving, query));
    }),
  };
}

/** SQL for the smallest of the limits (ascending) that is not exceeded; the last limit plus one if all are exceeded. */
const limitSql = (value: string, limits: readonly number[]) =>
  `CASE ${limits.map((limit) => `WHEN ${value} <= ${limit} THEN ${limit}`).join(' ')} ELSE ${limits.at(-1)! + 1} END`;

function savedSql(from: string, slack: number): string {
  return `SELECT type, bytes, greatest(0, bytes - own - packed) AS saved,
      greatest(0, bytes - own - 8 - length * ${INTSET_MEMBER}) AS savedByIntset,
      ${limitSql('length', ENTRY_LIMITS)} AS entries,
      ${limitSql('string', VALUE_LIMITS)} AS value,
      CASE WHEN type = 'set' AND allocated <= ${INTEGER} THEN ${limitSql('length', INTSET_LIMITS)} END AS intset
    FROM (SELECT *, (${LISTPACK} + length * (strings * (string + ${PACKED}) + CASE type WHEN 'zset' THEN ${PACKED_SCORE} ELSE 0 END)) * ${slack} AS packed
      FROM (SELECT *, ${stringSql('allocated', 'strings')} AS string
        FROM (SELECT type, bytes, length, ${OWN_BYTES_SQL} AS own, ${ALLOCATED_SQL} AS allocated, ${STRINGS_SQL} AS strings
          FROM (SELECT * ${from}) WHERE ${IN_TABLE_SQL} AND length > 0 AND bytes IS NOT NULL)))`;
}

/** The keys of a saving, as fields of a filter. */
type Which = Pick<SettingSaving['filter'], 'lengthMin' | 'lengthMax' | 'elementBytesMax'>;

function findListpackSavings(
  rows: readonly Row[],
  type: SettingSaving['type'],
  usesZiplists: boolean,
  longest: number,
): Unfiltered[] {
  const [shortest] = ENTRY_LIMITS;
  // The longest compact key shows how many elements the server allows at least.
  const known = ENTRY_LIMITS.find((limit) => limit >= Math.max(longest, shortest!));
  const allowed = known ?? longest;
  const name = (what: 'entries' | 'value') => `${type}-max-${usesZiplists ? 'ziplist' : 'listpack'}-${what}`;
  const few = rows.filter(({ entries }) => entries <= allowed);
  const byValue = VALUE_LIMITS.slice(1).map((limit) =>
    sumSavings(
      { type, setting: name('value'), limit },
      // If more is allowed than the largest limit tried, no key has too many elements.
      { elementBytesMax: limit, ...(known !== undefined && { lengthMax: known }) },
      few.filter(({ value }) => value <= limit),
    ),
  );
  const byEntries = ENTRY_LIMITS.filter((limit) => limit > allowed).map((limit) =>
    sumSavings(
      { type, setting: name('entries'), limit },
      { lengthMin: allowed + 1, lengthMax: limit, elementBytesMax: VALUE_LIMITS[0]! },
      rows.filter(({ entries, value }) => entries > allowed && entries <= limit && value <= VALUE_LIMITS[0]!),
    ),
  );
  return dropRepeatedLimits([...byEntries, ...byValue]);
}

const findIntsetSavings = (rows: readonly Row[]): Unfiltered[] =>
  dropRepeatedLimits(
    INTSET_LIMITS.slice(1).map((limit) =>
      sumSavings(
        { type: 'set', setting: 'set-max-intset-entries', limit, ifIntegers: true },
        { lengthMin: INTSET_LIMITS[0]! + 1, lengthMax: limit, elementBytesMax: INTEGER - STRING_BYTES },
        rows
          .filter(({ intset }) => intset !== null && intset > INTSET_LIMITS[0]! && intset <= limit)
          .map((row) => ({ ...row, saved: row.savedByIntset })),
      ),
    ),
  );

/** A saving before the filter of the query is added to its own. */
type Unfiltered = Omit<SettingSaving, 'filter'> & { which: Which };

const sumSavings = (
  about: Pick<SettingSaving, 'type' | 'setting' | 'limit' | 'ifIntegers'>,
  which: Which,
  rows: readonly Row[],
): Unfiltered => ({
  ...about,
  which,
  keys: rows.reduce((sum, row) => sum + row.keys, 0),
  bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
  savedBytes: Math.round(rows.reduce((sum, row) => sum + row.saved, 0)),
});

/** A higher limit that includes no further key is left out, because it says nothing new. */
const dropRepeatedLimits = (savings: readonly Unfiltered[]): Unfiltered[] =>
  savings.filter(
    (one, i) =>
      one.keys > 0 && !savings.slice(0, i).some((other) => other.setting === one.setting && other.keys === one.keys),
  );

/** Bounds of the query remain where they are narrower. */
function addSavingFilter({ which, ...saving }: Unfiltered, query: ReportQuery): SettingSaving {
  const { type } = saving;
  const narrower = (pick: typeof Math.max, ...bounds: (number | undefined)[]) => {
    const known = bounds.filter((bound) => bound !== undefined);
    return known.length === 0 ? undefined : pick(...known);
  };
  return {
    ...saving,
    filter: {
      type: [type],
      encoding: [type === 'zset' ? 'skiplist' : 'hashtable'],
      lengthMin: narrower(Math.max, which.lengthMin, query.lengthMin),
      lengthMax: narrower(Math.min, which.lengthMax, query.lengthMax),
      elementBytesMax: narrower(Math.min, which.elementBytesMax, query.elementBytesMax),
    },
  };
}
