/**
 * Defines what the address of a report may contain besides the filter, and makes the query parameters from it. Both the
 * page in the browser and the server that fills the first HTML use this file.
 */

import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import type { ReportQuery } from '@/lib/model/reports/query';

/** Number of rows on one page of a list of keys, patterns or nodes of the tree. */
export const PAGE_SIZE = 200;
/** Number of prefixes or groups of a rule on one page. */
export const RULE_PAGE_SIZE = 50;
export const BIGKEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };

export const OVERVIEW_MEASURES = ['memory', 'keys'] as const;
/** The overview measures by this; one choice applies to its prefixes and its types. */
export const OVERVIEW_PARAMS = { by: parseAsStringLiteral(OVERVIEW_MEASURES).withDefault('memory') };
export const TOP_PREFIXES = 12;
/** The overview report contains the prefixes with the most keys; those with the most memory need another query. */
export const toTopPrefixesQuery = ({ by }: { by: (typeof OVERVIEW_MEASURES)[number] }) => ({
  sort: by === 'keys' ? '-keys' : '-bytes',
  limit: TOP_PREFIXES,
});

const MEASURES = ['keys', 'bytes'] as const;
export const KEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };
export const PATTERNS_PARAMS = { sort: parseAsString.withDefault('-keys') };
export const SIZES_PARAMS = { by: parseAsStringLiteral(MEASURES).withDefault('keys') };
export const IDLE_PARAMS = {
  by: parseAsStringLiteral(MEASURES).withDefault('bytes'),
  days: parseAsFloat.withDefault(30),
};
export const TTL_PARAMS = {
  by: parseAsStringLiteral(MEASURES).withDefault('keys'),
  buckets: parseAsArrayOf(parseAsFloat).withDefault([]),
};
export const toTtlQuery = ({ buckets }: { buckets: number[] }) => (buckets.length > 0 ? { buckets } : {});
const DAY_SECONDS = 86_400;
/**
 * How far ahead a timeline looks, seconds; the shorter, the finer the steps that the server chooses. null: no limit.
 */
const AHEAD_SECONDS = { day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 30 * DAY_SECONDS, all: null } as const;
export const AHEAD = ['day', 'week', 'month', 'all'] as const;
export const AHEAD_PARAMS = { ahead: parseAsStringLiteral(AHEAD).withDefault('day') };
/**
 * The query of the timeline; null: the report itself contains all of it. It ends one millisecond before the limit,
 * because a class of remaining time ends there.
 */
export function toAheadQuery(filter: Partial<ReportQuery>, { ahead }: { ahead: (typeof AHEAD)[number] }) {
  const seconds = AHEAD_SECONDS[ahead];
  if (seconds === null) return null;
  const until = seconds - 0.001;
  // The timeline is not a list, so of the lists of this report only one row is requested.
  return { ...filter, ttlMax: Math.min(until, filter.ttlMax ?? until), limit: 1 };
}

/** The query that also computes what other limits of compact encodings would save. */
export const toSavingsQuery = (filter: Partial<ReportQuery>) => ({ ...filter, savings: true });

export const SLOTS_PARAMS = {
  mode: parseAsStringLiteral(['keys', 'bytes', 'skew'] as const).withDefault('keys'),
  masters: parseAsInteger.withDefault(3),
};

export const TREE_PARAMS = {
  sort: parseAsString.withDefault('-bytes'),
  // Kept in the address also if it is the default, because an instance may have another one.
  delimiter: parseAsString.withDefault(':').withOptions({ clearOnDefault: false }),
  fold: parseAsBoolean.withDefault(true),
  match: parseAsString.withDefault(''),
  size: parseAsStringLiteral(['bytes', 'keys'] as const).withDefault('bytes'),
};
interface TreeParams {
  sort: string;
  delimiter: string;
  fold: boolean;
  match: string;
  size: 'bytes' | 'keys';
}
/** The query of a level on its page. Rows opened in place request the whole level, without nested parts. */
export const toTreeQuery = ({ match, size, ...level }: TreeParams) => ({
  ...toBranchQuery(level),
  nested: size,
  ...(match && { match }),
});
export const toBranchQuery = ({ sort, delimiter, fold }: Omit<TreeParams, 'match' | 'size'>) => ({
  sort,
  delimiter,
  fold,
  limit: PAGE_SIZE,
});

export const KEY_PARAMS = { db: parseAsInteger.withDefault(0) };
/** The query for one key: sorted by name, it comes first among the names that begin with its own. */
export const toKeyRowQuery = (name: string, db: number) =>
  ({ prefix: name, db: [db], sort: 'name', limit: 10 }) satisfies Partial<ReportQuery>;
