import { encodeKey } from '@/lib/model/keys/key-id';
import type { GroupFinding, KeyExample } from '@/lib/model/rules/findings';
import { inRangesSql } from '@/lib/rules/policy/zones';
import type { Params } from '@/lib/rules/types';
import type { NameRange } from '@/lib/snapshots/key-query/name-range';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * Limits for the answers of group rules. The query of a rule finds all groups above its thresholds, largest first.
 * Owner and exemption are determined for at most MAX_GROUPS_READ of them and MAX_GROUPS_STORED are kept; the totals
 * include all.
 */
export const MAX_GROUPS_READ = 2000;
export const MAX_GROUPS_STORED = 200;

export interface GroupRule {
  id: string;
  /** With the defaults of the catalogue for those that the profile does not set. */
  params: Params;
  /** Only names in one of these ranges count, if the rule is on for some prefixes only. Absent: all names. */
  ranges?: readonly NameRange[];
  /** Like `templates` of the context, but for the names of these ranges. */
  templates?: string;
}

export interface GroupContext {
  asOf: number;
  delimiter: string;
  findOwner(path: string): string | null;
  exempt(rule: string, path: string): boolean;
  /**
   * The counts by folded template, if they exist already, as a sub-select in brackets. Columns: template, keys, bytes,
   * firstName, and rest and styles for a row that stands for the smaller children of a level. Absent: they are counted
   * once.
   */
  templates?: string;
}

export interface GroupAnswer {
  status: 'violated' | 'passed' | 'unknown';
  /** The groups; exempted ones come after the others. */
  groups: GroupFinding[];
  /** Number of groups that are not exempted; `keys` and `bytes` are the sums of these groups. */
  total: number;
  keys: number;
  bytes: number;
  exemptKeys: number;
  /** Keys that could not be evaluated because a fact is unknown. */
  unknownKeys: number;
  /** Commands that were refused and whose answers are missing, as for server rules. */
  missing?: string[];
}

/** One group as the query of its rule returns it; the fields mean the same as in GroupFinding. */
export interface FoundGroup {
  subject: string;
  path: string | null;
  tag?: string | null;
  minute?: number | null;
  keys: number;
  bytes: number;
  example: string | null;
  figures: Record<string, number | string>;
}

export interface Found {
  groups: FoundGroup[];
  /** Totals of all groups, if more were found than were read. */
  all?: { groups: number; keys: number; bytes: number };
  /** Keys that could not be evaluated. */
  unknownKeys?: number;
  /** Commands that were refused and whose answers are missing. */
  missing?: string[];
  /** True: nothing could be evaluated at all, so the rule is unknown instead of passed. */
  blind?: boolean;
  /** True: the rule requires only a sample of the keys, so keys that were not looked at do not make it unknown. */
  sampled?: boolean;
}

/** The query of a group rule, as the file of the rule exports it. */
export type GroupQuestion = (source: Source, rule: GroupRule, context: GroupContext) => Promise<Found>;

/** Returns the condition for the names in the ranges of a rule. */
export function buildRuleWhere(rule: GroupRule): Where {
  const where = new Where();
  return rule.ranges ? where.and(inRangesSql(where, rule.ranges)) : where;
}

export function toGroupAnswer(rule: string, found: Found, context: GroupContext): GroupAnswer {
  const groups = found.groups.map((group): GroupFinding => {
    const path = group.path ?? group.subject;
    return {
      subject: group.subject,
      path: group.path,
      tag: group.tag ?? null,
      minute: group.minute ?? null,
      keys: group.keys,
      bytes: group.bytes,
      owner: context.findOwner(path),
      exempt: context.exempt(rule, path),
      figures: group.figures,
      example: toKeyExample(group.example),
    };
  });
  const open = groups.filter((group) => !group.exempt);
  const exempted = groups.filter((group) => group.exempt);
  const sum = (among: readonly GroupFinding[], of: 'keys' | 'bytes') =>
    among.reduce((n, group) => n + (group[of] ?? 0), 0);
  const all = found.all ?? { groups: groups.length, keys: sum(groups, 'keys'), bytes: sum(groups, 'bytes') };
  const total = all.groups - exempted.length;
  const unknownKeys = found.unknownKeys ?? 0;
  return {
    status: total > 0 ? 'violated' : found.blind || (unknownKeys > 0 && !found.sampled) ? 'unknown' : 'passed',
    groups: [...open, ...exempted].slice(0, MAX_GROUPS_STORED),
    total,
    keys: all.keys - sum(exempted, 'keys'),
    bytes: all.bytes - sum(exempted, 'bytes'),
    exemptKeys: sum(exempted, 'keys'),
    unknownKeys,
    ...(found.missing && { missing: found.missing }),
  };
}

/** `k` is null for a name with `\x` or one that may have been cut, because its exact bytes are not known here. */
function toKeyExample(name: string | null): KeyExample | null {
  if (name === null) return null;
  const bytes = Buffer.from(name);
  const isExact = !name.includes('\\x') && bytes.length <= 500;
  return { k: isExact ? encodeKey(bytes) : null, name, suggested: null };
}

/** SQL for columns with the totals of all groups, which the outermost select of a group query has besides its own. */
export const ALL_SQL =
  'count(*) OVER () AS allGroups, sum(keys) OVER ()::DOUBLE AS allKeys, sum(bytes) OVER ()::DOUBLE AS allBytes';
export type AllRow = Record<string, unknown> & { allGroups: number; allKeys: number; allBytes: number };
export const getAllTotals = (rows: readonly AllRow[]) => ({
  groups: rows[0]?.allGroups ?? 0,
  keys: rows[0]?.allKeys ?? 0,
  bytes: rows[0]?.allBytes ?? 0,
});
