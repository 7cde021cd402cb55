import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { createSqlContext, rowsWithPartsSql } from '@/lib/rules/sql-context';
import type { Params, RuleEntry } from '@/lib/rules/types';
import { type AdHocRow, withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';

export interface AskOptions {
  asOf?: number;
  lazyExpire?: boolean | null;
  bigkeys?: BigkeyThresholds;
  params?: Params;
  delimiter?: string;
  ownerPrefixes?: readonly string[];
  moreCommands?: readonly string[];
}

/** The fields that a rule needs to be evaluated: rules of the catalogue, and those that tests make of own rules. */
export type Askable = Pick<RuleEntry, 'id' | 'params' | 'violated' | 'unknown'>;

/** Returns the rule with the given parameters, so that one statement can contain it with different ones. */
export function withParams({ id, params: specs, violated, unknown }: Askable, params: Params): Askable {
  const defaults = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, spec.default]));
  const given = { ...defaults, ...params };
  return {
    id,
    params: {},
    violated: (_params, sql) => violated!(given, sql),
    ...(unknown && { unknown: (_params, sql) => unknown(given, sql) }),
  };
}

/** Returns the database's result for each row and rule: true = violated, null = not evaluated, false = neither. */
export async function askRules(
  rules: readonly Askable[],
  rows: readonly AdHocRow[],
  {
    asOf = 1_000_000_000_000,
    lazyExpire = null,
    bigkeys = STANDARD_THRESHOLDS,
    params = {},
    delimiter = ':',
    ownerPrefixes = [],
    moreCommands = [],
  }: AskOptions = {},
): Promise<Record<string, boolean | null>[]> {
  return withRows(
    rows,
    async (source) => {
      const values: SqlValue[] = [];
      const sql = createSqlContext(
        (value) => {
          values.push(value);
          return `$${values.length}`;
        },
        { delimiter, asOf, lazyExpire, bigkeys, clustered: false, replicaNodes: [], ownerPrefixes, moreCommands },
      );
      const columns = rules.map((rule, i) => {
        const defaults = Object.fromEntries(Object.entries(rule.params).map(([name, spec]) => [name, spec.default]));
        const given = { ...defaults, ...params };
        return `${rule.violated!(given, sql)} AS b${i}, ${rule.unknown?.(given, sql) ?? 'false'} AS u${i}`;
      });
      const from = rowsWithPartsSql(source.keys, sql.delimiter);
      const found = await source.query<Record<string, unknown>>(
        `SELECT ${columns.join(', ')} FROM (${from}) ORDER BY ordinal`,
        values,
      );
      return found.map((row) =>
        Object.fromEntries(
          rules.map((rule, i) => {
            const violated = row[`b${i}`];
            const unknown = row[`u${i}`];
            if (typeof violated !== 'boolean' || typeof unknown !== 'boolean')
              throw new Error(`${rule.id} answers neither true nor false`);
            if (violated && unknown) throw new Error(`${rule.id} is violated and unknown at once`);
            return [rule.id, violated ? true : unknown ? null : false];
          }),
        ),
      );
    },
    { asOf, lazyfreeLazyExpire: lazyExpire },
  );
}
