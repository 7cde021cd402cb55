import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { RuleFinding } from '@/lib/model/rules/findings';
import type { RuleInfo, Strength } from '@/lib/model/rules/rules';
import type { ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';

/**
 * The context of the predicate of a key rule: functions that bind values, and facts about the snapshot and the profile.
 */
export interface SqlContext {
  /** Binds a value and returns its placeholder with a cast (`$3::BIGINT`, `$4::VARCHAR`). */
  int(value: number): string;
  real(value: number): string;
  text(value: string): string;
  /** SQL of the number of non-empty segments (integer). Like the three that follow, it is computed once per row. */
  segments: string;
  /** SQL of the list of segments, of the first and of the last one. */
  parts: string;
  first: string;
  last: string;
  /** The delimiter of the profile: bound, and as plain text (for patterns, which are bound too). */
  delimiter: string;
  delimiterText: string;
  /** Epoch ms from which TTLs are counted, as bound BIGINT. */
  asOf: string;
  /** lazyfree-lazy-expire of the server; null = unknown. */
  lazyExpire: boolean | null;
  /** Thresholds of a bigkey in this profile; the bigkey report uses the same. */
  bigkeys: BigkeyThresholds;
  clustered: boolean;
  /**
   * Numbers of the nodes that are replicas. A replica does not see reads on its master, so a key that is idle there may
   * be busy.
   */
  replicaNodes: readonly number[];
  /** Commands of the server that are not in COMMAND_NAMES (N20), in lower case: from modules or later versions. */
  moreCommands: readonly string[];
  /** Prefixes with an owner (N6); empty = none registered. */
  ownerPrefixes: readonly string[];
}

export type Params = Readonly<Record<string, number | string | readonly string[]>>;

/**
 * A rule is one entry: its texts (RuleInfo), its setting in the default profile and, if a program can evaluate it, its
 * predicate. Rules of kind `group` have no predicate here: their queries are in lib/rules/groups/evaluate-groups.ts, by
 * id. The predicate of a key rule uses the columns of lib/snapshots/query/columns.ts. Counts, lists, exports and
 * the key page all use the same text, so they agree. Thresholds and texts are bound, never written into the SQL.
 */
export interface RuleEntry extends RuleInfo {
  inDefaultProfile: { on: boolean; strength: Strength };
  /**
   * Key rules: true if the key violates the rule. It must be false (not NULL) if a fact is unknown: wrap it in
   * coalesce(…, false).
   */
  violated?: (params: Params, sql: SqlContext) => string;
  /**
   * Set if names that differ only in the digits and the letters a–f of their ids (whole segments that are numbers,
   * UUIDs or hashes) may get different verdicts. For other rules about names, the pass over all keys evaluates one of
   * these names and uses its verdict for all.
   */
  idsMatter?: boolean;
  /** Set if it may be unknown whether the key violates the rule even though all `facts` are known. */
  unknownDespiteFacts?: boolean;
  /**
   * Key rules that depend on what people register: the reason why the rule is evaluated for no key, null if it is
   * evaluated. In the first case no key violates the rule, and no key is excluded from the score.
   */
  findSkipReason?: (registered: { owners: number }) => RuleFinding['because'] | null;
  /** Key rules with `facts`: predicate for keys that could not be evaluated. Default: any of `facts` is unknown. */
  unknown?: (params: Params, sql: SqlContext) => string;
  /** Server rules. `expiryShare` is the share of keys that expire (0…1; null = unknown). */
  judge?: (audit: ServerAudit, params: Params, snapshot: { expiryShare: number | null }) => ServerFinding;
}
