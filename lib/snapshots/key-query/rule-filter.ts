import type { KeyFilter } from '@/lib/model/filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import type { SnapshotRef, Source } from '@/lib/snapshots/query/with-source';

/** A page in the order of names: `rows` rows after the name `after`. */
export interface NamePage {
  after: string;
  rows: number;
}

/**
 * Filters keys by the rules they violate (lib/rules/findings). The filters rule, strength, exemption and owner use it,
 * so that a list contains exactly the keys that were counted.
 */
export interface RuleFilter {
  /** Hash of the policy. */
  hash: string;
  /** Adds the filter's `rule`, `strength`, `exempt` and `owner` to a WHERE clause. */
  and(where: { bind(value: SqlValue): string; and(term: string): unknown }, filter: KeyFilter): void;
  /** Keys and bytes under a query, if they are known without reading rows; otherwise null. */
  totals(source: Source, query: ReportQuery): Promise<{ keys: number; bytes: number } | null>;
  /**
   * The sub-select for FROM, limited to where such keys can be, in the order of names. `page`: only that many rows
   * after that name are needed, in that order (null: all rows).
   */
  narrowKeys(source: Source, query: ReportQuery, page: NamePage | null): Promise<string>;
}

/**
 * Sorts listed keys by their rule results (lib/rules/findings): SQL texts over the columns that give a whole number for
 * every key.
 */
export interface RuleOrder {
  /** Hash of the policy. */
  hash: string;
  /** The number of key rules that the key violates; exempted findings do not count. */
  violated(where: { bind(value: SqlValue): string }): string;
  /** 1 if the key is so far above a threshold that the list marks it, otherwise 0. */
  farAbove(where: { bind(value: SqlValue): string }): string;
}

interface Ruled {
  /** The policy that the keys are evaluated against, if the query is about rules. */
  policy?: EffectivePolicy;
  ruleFilter?: RuleFilter;
  /** Set if the query sorts by rules. */
  ruleOrder?: RuleOrder;
}

/** A snapshot together with a policy. `withSource` passes its input on, so its source has the filter too. */
export type RuledSnapshotRef = SnapshotRef & Ruled;
export type RuledSource = Source & Ruled;
