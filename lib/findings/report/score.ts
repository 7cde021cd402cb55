import type { Score, ScoreLine } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';

/**
 * 0…100, the same for the same findings. Four parts, each the product of its points and a share:
 *
 *   mandatory    55 × (½ share of keys + ½ share of known bytes that are free of mandatory findings)
 *   recommended  20 × the same for recommended findings
 *   groups       10 − per violated group rule: 10 × weight × (¼ + ¾ × share of keys in its groups), at least 0
 *   server       15 × weight of passed rules ÷ weight of passed and violated ones; not evaluated: not counted
 *
 * Weights: mandatory 0.4, recommended 0.2, advice 0.05 for groups; 4, 2, 1 for the server. A part that cannot be judged
 * (no server facts, no key with known size) gives its points to the others in proportion; without keys there is no
 * score. Advice about keys does not count. Shares are of the keys that could be judged, and a line has as many of its
 * points as that share of all keys: one that violates no rule of a strength, but of which a fact is unknown that such a
 * rule needs, is neither free nor violating, and few that were judged must not speak for all. `fixes` are the same sum
 * with one rule taken out of every mask, shown as what is added to the score as it is shown: so they are exact.
 */
export interface ScoredKeys {
  keys: number;
  bytes: number;
  /** Ids of rules that these keys break, not exempted. */
  violated: readonly string[];
  /** Strengths of rules that could not be judged of these keys. */
  notEvaluated?: readonly Strength[];
}
export interface ScoreInput {
  /** Keys by the rules they break; those that break none too. */
  combinations: readonly ScoredKeys[];
  strengthOf(rule: string): Strength;
  /** What one repairs: ids of one rule may differ by strength. Absent: each id is one. */
  fixOf?(rule: string): string;
  groups: readonly { rule: string; strength: Strength; violated: boolean; keys: number }[];
  /** null: not part of this score (a prefix, an owner). */
  server: readonly { rule: string; strength: Strength; verdict: 'violated' | 'passed' | 'unknown' }[] | null;
  titleOf(rule: string): string | null;
}

const POINTS = { mandatory: 55, recommended: 20, groups: 10, server: 15 } as const;
const GROUP_WEIGHT: Record<Strength, number> = { mandatory: 0.4, recommended: 0.2, advice: 0.05 };
const SERVER_WEIGHT: Record<Strength, number> = { mandatory: 4, recommended: 2, advice: 1 };
const MAX_FIXES = 10;

interface Sums {
  keys: number;
  /** Violated, and violated or judged to be free, by strength. */
  mandatory: Part;
  recommended: Part;
}
interface Part {
  keys: number;
  bytes: number;
  judgedKeys: number;
  judgedBytes: number;
}
const PARTS = ['mandatory', 'recommended'] as const;
const nothing = (): Part => ({ keys: 0, bytes: 0, judgedKeys: 0, judgedBytes: 0 });

export function score(input: ScoreInput): Score {
  const sums = sumsOf(input);
  // Settings of a server alone are no keyspace.
  if (sums.keys === 0) return noScore('no_keys');
  const whole = linesOf(input, sums, null);
  const total = totalOf(whole);
  if (total === null) return noScore('not_judged');
  return {
    score: round(total),
    reason: null,
    lines: addingUp(whole, round(total)),
    fixes: fixesOf(input, sums, total),
  };
}

export const noScore = (reason: NonNullable<Score['reason']>): Score => ({ score: null, reason, lines: [], fixes: [] });

/** One decimal, so that the lines as they are shown add up to the score and to 100. */
function addingUp(lines: readonly ScoreLine[], total: number): ScoreLine[] {
  const of = tenths(
    lines.map((line) => line.of),
    1000,
    lines.map(() => 1000),
  );
  const points = tenths(
    lines.map((line) => line.points),
    Math.round(total * 10),
    of,
  );
  return lines.map((line, i) => ({ ...line, points: points[i]! / 10, of: of[i]! / 10 }));
}

/**
 * Each cut to tenths, and what is missing to the sum given to those that lost most by it; none is more than its `most`.
 */
function tenths(values: readonly number[], sum: number, max: readonly number[]): number[] {
  const cut = values.map((value, i) => Math.min(max[i]!, Math.floor(value * 10 + 1e-6)));
  const lost = values.map((value, i) => value * 10 - cut[i]!);
  const order = [...values.keys()].sort((a, b) => lost[b]! - lost[a]! || a - b);
  let left = sum - cut.reduce((n, value) => n + value, 0);
  for (const i of order) {
    if (left <= 0) break;
    if (cut[i]! >= max[i]!) continue;
    cut[i]!++;
    left--;
  }
  return cut;
}

/** Half up, one decimal. */
const round = (value: number) => Math.round(value * 10 + 1e-9) / 10;
const totalOf = (lines: readonly ScoreLine[]) =>
  lines.length === 0 ? null : lines.reduce((n, line) => n + line.points, 0);

function sumsOf({ combinations, strengthOf }: ScoreInput): Sums {
  const sums: Sums = { keys: 0, mandatory: nothing(), recommended: nothing() };
  for (const { keys, bytes, violated, notEvaluated } of combinations) {
    sums.keys += keys;
    for (const strength of PARTS) {
      const isViolated = violated.some((rule) => strengthOf(rule) === strength);
      if (!isViolated && notEvaluated?.includes(strength)) continue;
      sums[strength].judgedKeys += keys;
      sums[strength].judgedBytes += bytes;
      if (!isViolated) continue;
      sums[strength].keys += keys;
      sums[strength].bytes += bytes;
    }
  }
  return sums;
}

/** `without`: a rule as if nothing broke it. */
function linesOf(input: ScoreInput, sums: Sums, without: string | null): ScoreLine[] {
  const parts: ScoreLine[] = [];
  if (sums.keys > 0) {
    for (const part of PARTS) {
      const { keys, bytes, judgedKeys, judgedBytes } = sums[part];
      if (judgedKeys === 0) continue;
      const freeKeys = 1 - keys / judgedKeys;
      const of = (POINTS[part] * judgedKeys) / sums.keys;
      const freeBytes = judgedBytes > 0 ? 1 - bytes / judgedBytes : freeKeys;
      parts.push({
        part,
        of,
        points: of * (freeKeys / 2 + freeBytes / 2),
        // Without one known size the share of keys stands for both.
        figures: {
          freeKeys,
          ...(judgedBytes > 0 && { freeBytes, bytes }),
          keys,
          unknownKeys: sums.keys - judgedKeys,
        },
      });
    }
    if (input.groups.length > 0) parts.push(groupsLine(input, sums, without));
  }
  const judged = (input.server ?? []).filter((rule) => rule.verdict !== 'unknown');
  if (judged.length > 0) {
    const weigh = (rules: typeof judged) => rules.reduce((n, rule) => n + SERVER_WEIGHT[rule.strength], 0);
    const passed = judged.filter((rule) => rule.verdict === 'passed' || rule.rule === without);
    parts.push({
      part: 'server',
      of: POINTS.server,
      points: (POINTS.server * weigh(passed)) / weigh(judged),
      figures: {
        passed: passed.length,
        violated: judged.length - passed.length,
        unknown: (input.server ?? []).length - judged.length,
      },
    });
  }
  const available = parts.reduce((n, line) => n + line.of, 0);
  return parts.map((line) => ({ ...line, points: (line.points * 100) / available, of: (line.of * 100) / available }));
}

function groupsLine(input: ScoreInput, sums: Sums, without: string | null): ScoreLine {
  const violated = input.groups.filter((group) => group.violated && group.rule !== without);
  const lost = violated.reduce((n, group) => {
    const share = Math.min(1, group.keys / sums.keys);
    return n + POINTS.groups * GROUP_WEIGHT[group.strength] * (0.25 + 0.75 * share);
  }, 0);
  return {
    part: 'groups',
    of: POINTS.groups,
    points: Math.max(0, POINTS.groups - lost),
    figures: { violated: violated.length, passed: input.groups.length - violated.length },
  };
}

function fixesOf(input: ScoreInput, sums: Sums, total: number): Score['fixes'] {
  const keyRules = new Map<string, { keys: number; sums: Sums }>();
  const fixOf = input.fixOf ?? ((rule: string) => rule);
  const copy = (): Sums => ({ ...sums, mandatory: { ...sums.mandatory }, recommended: { ...sums.recommended } });
  for (const { keys, bytes, violated, notEvaluated } of input.combinations) {
    for (const rule of violated) {
      const fix = fixOf(rule);
      const own = keyRules.get(fix) ?? { keys: 0, sums: copy() };
      keyRules.set(fix, own);
      own.keys += keys;
      const strength = input.strengthOf(rule);
      if (strength === 'advice' || violated.some((other) => other !== rule && input.strengthOf(other) === strength))
        continue;
      own.sums[strength].keys -= keys;
      own.sums[strength].bytes -= bytes;
      // Repaired, they are what is unknown of them.
      if (!notEvaluated?.includes(strength)) continue;
      own.sums[strength].judgedKeys -= keys;
      own.sums[strength].judgedBytes -= bytes;
    }
  }
  const candidates: { rule: string; keys: number | null; sums: Sums }[] = [
    ...[...keyRules].map(([rule, own]) => ({ rule, keys: own.keys, sums: own.sums })),
    ...input.groups.filter((group) => group.violated).map(({ rule, keys }) => ({ rule, keys, sums })),
    ...(input.server ?? []).filter((s) => s.verdict === 'violated').map(({ rule }) => ({ rule, keys: null, sums })),
  ];
  return candidates
    .map(({ rule, keys, sums: after }) => ({
      rule,
      title: input.titleOf(rule),
      gain: round(round(totalOf(linesOf(input, after, rule)) ?? total) - round(total)),
      keys,
    }))
    .filter((fix) => fix.gain > 0)
    .sort((a, b) => b.gain - a.gain || (b.keys ?? 0) - (a.keys ?? 0) || (a.rule < b.rule ? -1 : 1))
    .slice(0, MAX_FIXES);
}
