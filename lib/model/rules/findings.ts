import type { ServerFinding } from '@/lib/model/servers/server-audit';
import type { RuleKind, Strength } from './rules';
import type { RuleArea } from './vocabulary';

/**
 * What the rules found in one snapshot under one policy. Bytes are MEMORY USAGE bytes, shares 0…1, times epoch ms; null
 * = unknown. Counts, lists and exports all come from the predicates of lib/rules over the same columns, so they agree.
 */
export interface KeyTotals {
  keys: number;
  /** Of those whose memory is known; null: it is known of none. */
  bytes: number | null;
}

/** Keys with at least one finding of a strength, group rules included. */
export interface StrengthTotals extends KeyTotals {
  /** Those that violate key rules: what the list of keys by strength shows. */
  listed: number;
  /** Groups are reported as sums: how many of their keys are among the others is not known, so there may be more. */
  atLeast: boolean;
}

export interface KeyExample {
  k: string | null;
  name: string;
  /** A name that would pass the rule. Advice: nothing here ever renames. null: none can be known. */
  suggested: string | null;
}

/** One group that breaks a group rule: a prefix, a hash tag, a minute of a prefix. */
export interface GroupFinding {
  /** What violates it, as shown: a prefix, `{tag}`, a template. */
  subject: string;
  /** Where to look: folded path (KeyFilter.template) or null. */
  path: string | null;
  tag: string | null;
  /** Epoch ms of the minute, for expiry storms. */
  minute: number | null;
  keys: number;
  bytes: number | null;
  owner: string | null;
  exempt: boolean;
  /** Figures of this rule, by name; the pages know how to say them (messages `findings.figures.*`). */
  figures: Record<string, number | string>;
  example: KeyExample | null;
}

export interface RuleFinding {
  rule: string;
  /** Title of a custom rule; null: the catalogue has it. */
  title: string | null;
  kind: RuleKind;
  area: RuleArea;
  strength: Strength;
  /**
   * Of key rules whose violated keys are not all of one strength, because profiles of prefixes take the rule otherwise:
   * how many each.
   */
  strengths?: { strength: Strength; keys: number }[];
  /** unknown: nothing violated was found but facts are missing for some keys, or the server did not tell. */
  status: 'violated' | 'passed' | 'unknown';
  /** Not exempted. For group rules: the keys of the violating groups. null for server rules. */
  keys: number | null;
  bytes: number | null;
  shareKeys: number | null;
  shareBytes: number | null;
  exemptKeys: number;
  /** Keys that could not be judged because a fact is unknown. */
  unknownKeys: number;
  /** Why no key was judged, where it is no missing fact: no prefix has an owner (N6). */
  because?: 'noOwners';
  /** Commands that were refused and would have said more, of group rules. */
  missing?: string[];
  /** Groups with findings, of group rules. */
  groups: number | null;
  example: KeyExample | null;
  server: ServerFinding | null;
  /**
   * Against the previous snapshot under the same policy; null while it is not (yet) compared. Given for the whole, a
   * prefix, a folded path and a team, which the names decide; of what other filters leave, keys come and go without
   * being new or fixed: null.
   */
  change: { newKeys: number; fixedKeys: number; goneKeys: number } | null;
}

export interface ScoreLine {
  /** `mandatory` `recommended` `groups` `server`. */
  part: 'mandatory' | 'recommended' | 'groups' | 'server';
  points: number;
  of: number;
  /** What the points come from, by name. */
  figures: Record<string, number>;
}
export interface Score {
  /** 0…100, one decimal. null: there is nothing to judge, or no whole. */
  score: number | null;
  /** Why there is none. `no_keys`: of none was anything read; `part`: the snapshot is of a part of the keyspace. */
  reason: 'no_keys' | 'part' | 'not_judged' | null;
  lines: ScoreLine[];
  /** Rules whose repair would move the score most, best first, at most 10. */
  fixes: { rule: string; title: string | null; gain: number; keys: number | null }[];
}

export interface OwnerFindings {
  /** null: nobody owns these keys. */
  team: string | null;
  keys: number;
  bytes: number | null;
  /** Keys with at least one finding of that strength. */
  mandatory: StrengthTotals;
  recommended: StrengthTotals;
  advice: StrengthTotals;
  score: number | null;
}

/** GET /api/snapshots/:id/reports/findings */
export interface FindingsReport {
  policyHash: string;
  profiles: { id: string; name: string; prefix: string | null }[];
  /** The whole snapshot, or what `prefix`/`template`/`owner` of the query leaves. */
  total: KeyTotals & { bytesUnknown: number };
  /** Keys with at least one finding of the strength (not exempted). */
  mandatory: StrengthTotals;
  recommended: StrengthTotals;
  advice: StrengthTotals;
  exempt: KeyTotals;
  score: Score;
  /** Every rule that is on, heaviest first: strength, then keys. */
  rules: RuleFinding[];
  owners: OwnerFindings[];
  /** `score` and `mandatoryKeys` are those of the whole: null in a part. */
  previous: { snapshotId: string; endedAt: number; score: number | null; mandatoryKeys: number | null } | null;
  evaluatedInMs: number;
}

/** GET /api/snapshots/:id/reports/findings/:rule — where one rule is violated. */
export interface RuleFindingReport {
  finding: RuleFinding;
  /**
   * Largest first; folded paths (KeyFilter.template) cut at `depth`. `end`: the keys that end at the path; else those
   * below it, and it ends with the delimiter.
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
  /** Of the prefixes, or the groups. null: the end. */
  nextCursor: string | null;
  /**
   * The numbers it was asked with, catalogue defaults included: one entry per set of them, the base profile's first.
   */
  settings: { profiles: string[]; params: Record<string, number | string | readonly string[]> }[];
}

/** Numbers beside a tree node or a fleet row. */
export interface FindingCounts {
  mandatory: number;
  recommended: number;
  advice: number;
}

/** Of a key above the policy's threshold for its type: how far, and into how many keys it should be split. */
export interface SplitAdvice {
  severity: 'large' | 'huge' | 'extreme';
  /** Its size in thresholds. */
  times: number;
  buckets: number;
  of: 'elements' | 'list' | 'zset' | 'bytes';
}

/** One key against the policy: the key page, `lint`. */
export interface KeyVerdict {
  violated: { rule: string; title: string | null; strength: Strength; exempt: boolean }[];
  /** Rules that could not be judged. */
  unknown: string[];
  suggested: string | null;
  /** null: it need not be split, or its size is unknown; absent: only its name was looked at. */
  split?: SplitAdvice | null;
}
