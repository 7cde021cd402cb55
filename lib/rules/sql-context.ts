import type { SqlContext } from './types';

/** Characters. Segments are computed only from this much of a name, because some names are a mebibyte long. */
export const MAX_NAME = 4096;

interface ContextFacts
  extends Pick<SqlContext, 'lazyExpire' | 'bigkeys' | 'clustered' | 'replicaNodes' | 'moreCommands' | 'ownerPrefixes'> {
  delimiter: string;
  /** Epoch ms from which TTLs are counted. */
  asOf: number;
}

/** The SQL expressions that rules are composed of. `bind` binds a value and returns its placeholder. */
export function createSqlContext(
  bind: (value: string | number | bigint) => string,
  { delimiter, asOf, ...facts }: ContextFacts,
): SqlContext {
  const text = (value: string) => `${bind(Buffer.from(value).toString())}::VARCHAR`;
  return {
    ...facts,
    int: (value) => `${bind(BigInt(Math.trunc(value)))}::BIGINT`,
    real: (value) => `${bind(value)}::DOUBLE`,
    text,
    segments: 'segments',
    parts: 'parts',
    first: 'parts[1]',
    last: 'parts[len(parts)]',
    // Bound only when read, because a statement refuses values that it does not use.
    get delimiter() {
      return text(delimiter);
    },
    delimiterText: delimiter,
    get asOf() {
      return `${bind(BigInt(Math.trunc(asOf)))}::BIGINT`;
    },
  };
}

/** SQL for the list of segments of a name. `delimiter` is a placeholder that the caller has bound. */
export const splitNameSql = (delimiter: string) => `string_split(left(name, ${MAX_NAME}), ${delimiter})`;

/**
 * Adds the columns that rules need to the rows of `source`: `parts` (segments of the name) and `segments` (number of
 * non-empty ones). `delimiter` is a placeholder that the caller has bound. Where the predicate `only` is given and
 * not true, both columns are null, because splitting names is a large part of a query's time.
 */
export function rowsWithPartsSql(source: string, delimiter: string, only: string | null = null): string {
  const split = splitNameSql(delimiter);
  return `SELECT *, CASE WHEN list_contains(parts, '') THEN len(list_filter(parts, lambda s: s <> '')) ELSE len(parts) END AS segments
    FROM (SELECT *, ${only === null ? split : `CASE WHEN ${only} THEN ${split} END`} AS parts FROM ${source})`;
}
