import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import type { RuleFinding } from '@/lib/model/rules/findings';
import type { RuleInfo, Strength } from '@/lib/model/rules/rules';
import type { ServerAudit, ServerFinding } from '@/lib/model/servers/server-audit';

/**
 * A rule is one entry: what it says (RuleInfo), how our default profile takes it, and, where a machine can tell, what
 * it asks. A key rule is a predicate over the columns of lib/snapshots/query/columns.ts: counts, lists, exports and the
 * key page are all asked with the same text, so they agree. Thresholds and texts are bound, never written into the SQL.
 */
export interface SqlContext {
  /** Binds a value and answers its placeholder with a cast (`$3::BIGINT`, `$4::VARCHAR`). */
  int(value: number): string;
  real(value: number): string;
  text(value: string): string;
  /** Ready expressions of Colonnade, computed once per row: */
  /** Number of segments (integer ≥ 1). */
  segments: string;
  parts: string;
  first: string;
  last: string;
  /** The delimiter of the profile: bound, and as it is (for patterns, which are bound too). */
  delimiter: string;
  delimiterText: string;
  /** Epoch ms from which TTLs are counted, as bound BIGINT. */
  asOf: string;
  /** lazyfree-lazy-expire of the server: null = unknown. */
  lazyExpire: boolean | null;
  /** What the profile calls a bigkey, as the bigkey report does. */
  bigkeys: BigkeyThresholds;
  clustered: boolean;
  /** Nodes that are replicas: they see no read of their master, so what is idle there may be busy. */
  replicaNodes: readonly number[];
  /** Commands of the server that are not in COMMAND_NAMES (N20), lower case: of modules, of later versions. */
  moreCommands: readonly string[];
  /** Prefixes with an owner (N6); empty = none registered. */
  ownerPrefixes: readonly string[];
}

export type Params = Readonly<Record<string, number | string | readonly string[]>>;

export interface PassedSize {
  stringBytes?: number;
  elements?: number;
  bytes?: number;
}

export interface RuleEntry extends RuleInfo {
  ours: { on: boolean; strength: Strength };
  /**
   * key rules: true where the key breaks it. Must be false (not NULL) where a fact is unknown: wrap in coalesce(…,
   * false).
   */
  violated?: (params: Params, sql: SqlContext) => string;
  /**
   * A name that fully matches PLAIN_NAME cannot violate this rule, whatever the parameters. The pass over all keys
   * tests that once and skips all such rules for plain names, which are most.
   */
  fineWhenPlain?: boolean;
  /**
   * Names that differ only in the digits and the letters a–f of their ids (whole segments that are numbers, UUIDs or
   * hashes) may get different verdicts. Of other rules about names the pass over all keys asks one such name for all.
   */
  idsMatter?: boolean;
  /**
   * What surely passes a rule that is about size, whatever else is known or not: strings of at most so many bytes,
   * anything else of at most so many elements, and at most so much memory. Nearly all keys are so small, so the pass
   * over all keys asks the least of these numbers first. A field that is not there: any size.
   */
  passedBySize?: (params: Params, sql: Pick<SqlContext, 'bigkeys'>) => PassedSize;
  /** Even where all `facts` are known it may not be told whether the key violates it. */
  unknownDespiteFacts?: boolean;
  /**
   * key rules that go by what people register: why they are asked of no key, null where they are. They violate nothing
   * then, and no key is excluded from the score.
   */
  unasked?: (registered: { owners: number }) => RuleFinding['because'] | null;
  /** key rules with `facts`: keys that could not be judged; default: any of `facts` is unknown. */
  unknown?: (params: Params, sql: SqlContext) => string;
  /** server rules. `snapshot` are shares that some of them need. */
  judge?: (audit: ServerAudit, params: Params, snapshot: { expiryShare: number | null }) => ServerFinding;
}

/**
 * ≥ 2 segments of lower-case letters, digits and single inner dots that begin with a letter; the first begins with a
 * letter.
 */
export const PLAIN_NAME = '[a-z][a-z0-9]*(?:[.][a-z0-9]+)*(?::[a-z0-9]+(?:[.][a-z0-9]+)*)+';
