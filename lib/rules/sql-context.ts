import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SqlContext } from './types';

/** Characters. Segments are computed only from this much of a name, because some names are a mebibyte long. */
export const MAX_NAME = 4096;

export interface ContextFacts {
  delimiter: string;
  asOf: number;
  lazyExpire: boolean | null;
  /** If absent, the numbers of the standards apply. */
  bigkeys?: BigkeyThresholds;
  clustered: boolean;
  /** Numbers of the nodes that are replicas. */
  replicaNodes?: readonly number[];
  /** Commands in addition to COMMAND_NAMES; if absent, none is known. */
  moreCommands?: readonly string[];
  ownerPrefixes: readonly string[];
}

/** The SQL expressions that rules are composed of. `bind` binds a value and returns its placeholder. */
export function createSqlContext(bind: (value: string | number | bigint) => string, facts: ContextFacts): SqlContext {
  const text = (value: string) => `${bind(Buffer.from(value).toString())}::VARCHAR`;
  return {
    int: (value) => `${bind(BigInt(Math.trunc(value)))}::BIGINT`,
    real: (value) => `${bind(value)}::DOUBLE`,
    text,
    segments: 'segments',
    parts: 'parts',
    first: 'parts[1]',
    last: 'parts[len(parts)]',
    // Bound only when read, because a statement refuses values that it does not use.
    get delimiter() {
      return text(facts.delimiter);
    },
    delimiterText: facts.delimiter,
    get asOf() {
      return `${bind(BigInt(Math.trunc(facts.asOf)))}::BIGINT`;
    },
    lazyExpire: facts.lazyExpire,
    bigkeys: facts.bigkeys ?? STANDARD_THRESHOLDS,
    clustered: facts.clustered,
    replicaNodes: facts.replicaNodes ?? [],
    moreCommands: facts.moreCommands ?? [],
    ownerPrefixes: facts.ownerPrefixes,
  };
}

/**
 * Adds the columns that rules need to the rows of `source`: `parts` (segments of the name) and `segments` (number of
 * non-empty ones). `delimiter` is a placeholder that the caller has bound. Where the predicate `only` is given and not
 * true, both columns are null, because splitting names is a large part of a query's time.
 */
export function rowsWithPartsSql(source: string, delimiter: string, only: string | null = null): string {
  const split = `string_split(left(name, ${MAX_NAME}), ${delimiter})`;
  return `SELECT *, CASE WHEN list_contains(parts, '') THEN len(list_filter(parts, lambda s: s <> '')) ELSE len(parts) END AS segments
    FROM (SELECT *, ${only === null ? split : `CASE WHEN ${only} THEN ${split} END`} AS parts FROM ${source})`;
}
