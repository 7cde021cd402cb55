import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef, Source } from '@/lib/snapshots/query/with-source';

/** A page in the order of names: how many rows it takes behind which name. */
export interface NamePage {
  after: string;
  rows: number;
}

/**
 * Filters of keys by the rules they violate (lib/findings). Filters by rule, strength, exemption and owner are asked
 * through it, so that a list holds the very keys that were counted.
 */
export interface RuleFilter {
  /** Of the policy. */
  hash: string;
  /** Adds to a WHERE clause what the filter's `rule`, `strength`, `exempt` and `owner` mean. */
  and(where: { bind(value: SqlValue): string; and(term: string): unknown }, filter: KeyFilter): void;
  /** Keys and bytes under a query, where they are known without asking the keys. */
  totals(source: Source, query: ReportQuery): Promise<{ keys: number; bytes: number } | null>;
  /**
   * The sub-select behind FROM, narrowed to where such keys can be; in the order of names. `page`: only so many rows
   * behind that name are wanted, in that order (null: all of them).
   */
  narrowed(source: Source, query: ReportQuery, page: NamePage | null): Promise<string>;
}

/**
 * Orders listed keys by what the policy says of each (lib/findings): texts over the columns, whole numbers that are
 * known of every key.
 */
export interface RuleOrder {
  /** Of the policy. */
  hash: string;
  /** How many key rules it violates; exempted findings do not count. */
  violated(where: { bind(value: SqlValue): string }): string;
  /** 1 where it is so far above a threshold that the list says so. */
  farAbove(where: { bind(value: SqlValue): string }): string;
}

interface Ruled {
  /** What the keys are checked against, where the question is about rules. */
  policy?: EffectivePolicy;
  ruleFilter?: RuleFilter;
  /** Where the question orders by rules. */
  ruleOrder?: RuleOrder;
}

/** A snapshot as a policy sees it. `withSource` hands on what it is given, so its source has the filter too. */
export type RuledSnapshotRef = SnapshotRef & Ruled;
export type RuledSource = Source & Ruled;
