/**
 * The findings of the rules in one snapshot under one policy. Bytes are MEMORY USAGE bytes, shares 0…1, times epoch ms;
 * null = unknown. Counts, lists and exports all use the predicates of lib/rules on the same columns, so they agree.
 */

import type { ServerFinding } from '@/lib/model/servers/server-audit';
import type { RuleKind, Strength } from './rules';
import type { RuleArea } from './vocabulary';

interface KeyTotals {
  keys: number;
  /** The sum over keys whose memory is known; null = it is known of none. */
  bytes: number | null;
}

/** Keys with at least one finding of a strength, group rules included. */
export interface StrengthTotals extends KeyTotals {
  /** Keys that violate key rules: those in the list of keys by strength. */
  listed: number;
  /**
   * True if there may be more: groups are reported as sums, and how many of their keys are already counted is unknown.
   */
  atLeast: boolean;
}

export interface KeyExample {
  k: string | null;
  name: string;
  /**
   * A name that would pass the rule. It is only advice, nothing is renamed automatically. null = none can be derived.
   */
  suggested: string | null;
}

/** One group that violates a group rule: a prefix, a hash tag, a minute of a prefix. */
export interface GroupFinding {
  /** Names what violates it, as shown: a prefix, `{tag}`, a template. */
  subject: string;
  /** A folded path that selects its keys (KeyFilter.template), or null. */
  path: string | null;
  tag: string | null;
  /** Epoch ms of the minute, for expiry storms. */
  minute: number | null;
  keys: number;
  bytes: number | null;
  owner: string | null;
  exempt: boolean;
  /** The figures of this rule, by name; pages use the messages `findings.figures.*` for them. */
  figures: Record<string, number | string>;
  example: KeyExample | null;
}

export interface RuleFinding {
  rule: string;
  /** The title of a custom rule; null = the catalogue has it. */
  title: string | null;
  kind: RuleKind;
  area: RuleArea;
  strength: Strength;
  /**
   * Counts the keys of each strength, if the violating keys of a key rule have several because profiles of prefixes
   * give the rule another strength.
   */
  strengths?: { strength: Strength; keys: number }[];
  /** unknown = no violation was found, but facts are missing for some keys, or the server did not report them. */
  status: 'violated' | 'passed' | 'unknown';
  /** Without exempted ones. For group rules, the keys of the violating groups; null for server rules. */
  keys: number | null;
  bytes: number | null;
  shareKeys: number | null;
  shareBytes: number | null;
  exemptKeys: number;
  /** Keys that could not be evaluated because a fact is unknown. */
  unknownKeys: number;
  /** Why no key was evaluated, if it is not a missing fact: no prefix has an owner (N6). */
  because?: 'noOwners';
  /** Commands that were refused and would have provided more facts; only group rules have them. */
  missing?: string[];
  /** Number of groups with findings; null for rules without groups. */
  groups: number | null;
  example: KeyExample | null;
  server: ServerFinding | null;
  /**
   * The change since the previous snapshot under the same policy; null = not compared (yet). It is given for the whole,
   * a prefix, a folded path and a team, which depend on the names only. For other filters it is null, because keys
   * enter and leave the selection without being new or fixed.
   */
  change: { newKeys: number; fixedKeys: number; goneKeys: number } | null;
}

export interface ScoreLine {
  /** `mandatory`, `recommended`, `groups` or `server`. */
  part: 'mandatory' | 'recommended' | 'groups' | 'server';
  points: number;
  of: number;
  /** The figures from which the points are computed, by name. */
  figures: Record<string, number>;
}
export interface Score {
  /** 0…100, one decimal. null = nothing can be evaluated, or the snapshot is not of the whole keyspace. */
  score: number | null;
  /** Why there is no score. `no_keys`: no key was read; `part`: the snapshot is of a part of the keyspace. */
  reason: 'no_keys' | 'part' | 'not_judged' | null;
  lines: ScoreLine[];
  /** The rules whose repair would raise the score most, best first, at most 10. */
  fixes: { rule: string; title: string | null; gain: number; keys: number | null }[];
}

export interface OwnerFindings {
  /** null = nobody owns these keys. */
  team: string | null;
  keys: number;
  bytes: number | null;
  /** Keys with at least one finding of that strength. */
  mandatory: StrengthTotals;
  recommended: StrengthTotals;
  advice: StrengthTotals;
  score: number | null;
}

/** Answer of GET /api/snapshots/:id/reports/findings. */
export interface FindingsReport {
  policyHash: string;
  profiles: { id: string; name: string; prefix: string | null }[];
  /** The whole snapshot, or the part selected by `prefix`/`template`/`owner` of the query. */
  total: KeyTotals & { bytesUnknown: number };
  /** Keys with at least one finding of the strength (not exempted). */
  mandatory: StrengthTotals;
  recommended: StrengthTotals;
  advice: StrengthTotals;
  exempt: KeyTotals;
  score: Score;
  /** Every rule that is on, most important first: by strength, then by keys. */
  rules: RuleFinding[];
  owners: OwnerFindings[];
  /** `score` and `mandatoryKeys` are those of the whole snapshot; null if the query selects a part. */
  previous: { snapshotId: string; endedAt: number; score: number | null; mandatoryKeys: number | null } | null;
  evaluatedInMs: number;
}

/** Answer of GET /api/snapshots/:id/reports/findings/:rule: where one rule is violated. */
export interface RuleFindingReport {
  finding: RuleFinding;
  /**
   * Largest first; folded paths (KeyFilter.template) cut at `depth`. With `end` the keys end at the path; otherwise
   * they are below it, and the path ends with the delimiter.
   */
  prefixes: (KeyTotals & {
    path: string;
    end: boolean;
    owner: string | null;
    shareOfPrefix: number;
    example: KeyExample | null;
  })[];
  prefixCount: number;
  groups: GroupFinding[];
  /** The cursor for more prefixes or groups; null = there are no more. */
  nextCursor: string | null;
  /**
   * The parameters it was evaluated with, catalogue defaults included: one entry per set of them, the base profile's
   * first.
   */
  settings: { profiles: string[]; params: Record<string, number | string | readonly string[]> }[];
}

/** Counts shown next to a tree node or a fleet row. */
export interface FindingCounts {
  mandatory: number;
  recommended: number;
  advice: number;
}

/** Says by how much a key is above the policy's threshold for its type, and into how many keys it should be split. */
export interface SplitAdvice {
  severity: 'large' | 'huge' | 'extreme';
  /** Its size as a multiple of the threshold. */
  times: number;
  buckets: number;
  of: 'elements' | 'list' | 'zset' | 'bytes';
}

/** The result of checking one key against the policy, for the key page and `lint`. */
export interface KeyVerdict {
  violated: { rule: string; title: string | null; strength: Strength; exempt: boolean }[];
  /** Rules that could not be evaluated. */
  unknown: string[];
  suggested: string | null;
  /** null = it need not be split, or its size is unknown; absent = only its name was checked. */
  split?: SplitAdvice | null;
}
