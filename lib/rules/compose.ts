import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { SqlContext } from './types';

/** What a name longer than this says beyond it is not looked at by segments: names of a mebibyte exist. */
export const MAX_NAME = 4096;

export interface ContextFacts {
  delimiter: string;
  asOf: number;
  lazyExpire: boolean | null;
  /** Absent: the numbers of the standards. */
  bigkeys?: BigkeyThresholds;
  clustered: boolean;
  /** Nodes that are replicas. */
  replicaNodes?: readonly number[];
  /** Beside COMMAND_NAMES; absent: none known. */
  moreCommands?: readonly string[];
  ownerPrefixes: readonly string[];
}

/** The words in which rules ask, with every value bound by `bind` (which answers its placeholder). */
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
    // Bound only where it is asked for: a statement refuses values that it does not use.
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
 * Rows with what the rules ask of them: `parts` (segments of the name) and `segments` (how many are not empty).
 * `delimiter` is a placeholder of the caller's. Rows without `only` (a predicate) have neither: splitting is a good
 * part of asking.
 */
export function rowsWithPartsSql(source: string, delimiter: string, only: string | null = null): string {
  const split = `string_split(left(name, ${MAX_NAME}), ${delimiter})`;
  return `SELECT *, CASE WHEN list_contains(parts, '') THEN len(list_filter(parts, lambda s: s <> '')) ELSE len(parts) END AS segments
    FROM (SELECT *, ${only === null ? split : `CASE WHEN ${only} THEN ${split} END`} AS parts FROM ${source})`;
}
