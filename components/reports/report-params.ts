import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import type { ReportQuery } from '@/lib/model/reports/query';

/**
 * What the address of a report may say beside the filter, and what is asked with it. Read by the page in the browser
 * and by the server that fills the first HTML, so it belongs to neither.
 */
export const PAGE_SIZE = 200;
/** Prefixes or groups of a rule on one page. */
export const RULE_PAGE_SIZE = 50;
export const BIGKEYS_PARAMS = { sort: parseAsString.withDefault('-bytes') };

export const OVERVIEW_MEASURES = ['memory', 'keys'] as const;
/** What the overview weighs by; one choice for its prefixes and its types. */
export const OVERVIEW_PARAMS = { by: parseAsStringLiteral(OVERVIEW_MEASURES).withDefault('memory') };
export const TOP_PREFIXES = 12;
/** The overview brings the prefixes with the most keys; by memory they are another question. */
export const topPrefixesQuery = ({ by }: { by: (typeof OVERVIEW_MEASURES)[number] }) => ({
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
export const ttlQuery = ({ buckets }: { buckets: number[] }) => (buckets.length > 0 ? { buckets } : {});
const DAY_SECONDS = 86_400;
/** How far ahead a timeline looks; the nearer, the finer the steps the server chooses. */
const AHEAD_SECONDS = { day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 30 * DAY_SECONDS, all: null } as const;
export const AHEAD = ['day', 'week', 'month', 'all'] as const;
export const AHEAD_PARAMS = { ahead: parseAsStringLiteral(AHEAD).withDefault('day') };
/** null: the report itself brings all of it. Up to the last millisecond before: a class of what is left ends there. */
export function aheadQuery(asked: Partial<ReportQuery>, { ahead }: { ahead: (typeof AHEAD)[number] }) {
  const seconds = AHEAD_SECONDS[ahead];
  if (seconds === null) return null;
  const until = seconds - 0.001;
  return { ...asked, ttlMax: Math.min(until, asked.ttlMax ?? until), limit: 1 };
}

/** What other limits would save, beside the types. */
export const savingsQuery = (asked: Partial<ReportQuery>) => ({ ...asked, savings: true });

export const SLOTS_PARAMS = {
  mode: parseAsStringLiteral(['keys', 'bytes', 'skew'] as const).withDefault('keys'),
  masters: parseAsInteger.withDefault(3),
};

export const TREE_PARAMS = {
  sort: parseAsString.withDefault('-bytes'),
  delimiter: parseAsString.withDefault(':'),
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
/** A level as its page asks for it; rows opened in place are asked for whole and without their parts. */
export const treeQuery = ({ match, size, ...level }: TreeParams) => ({
  ...branchQuery(level),
  nested: size,
  ...(match && { match }),
});
export const branchQuery = ({ sort, delimiter, fold }: Omit<TreeParams, 'match' | 'size'>) => ({
  sort,
  delimiter,
  fold,
  limit: PAGE_SIZE,
});

/** Of one key: sorted by name it is the first of all names that begin with its own. */
export const KEY_PARAMS = { db: parseAsInteger.withDefault(0) };
export const keyRowQuery = (name: string, db: number) =>
  ({ prefix: name, db: [db], sort: 'name', limit: 10 }) satisfies Partial<ReportQuery>;
