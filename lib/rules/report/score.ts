/**
 * The score is 0…100 and the same for the same findings. It has four parts, each the product of its points and a share:
 *
 *   mandatory    55 × (½ share of keys + ½ share of known bytes that are free of mandatory findings)
 *   recommended  20 × the same for recommended findings
 *   groups       10 − per violated group rule: 10 × weight × (¼ + ¾ × share of keys in its groups), at least 0
 *   server       15 × weight of passed rules ÷ weight of passed and violated ones; not evaluated: not counted
 *
 * The weights are: mandatory 0.4, recommended 0.2, advice 0.05 for groups; 4, 2, 1 for the server. If a part cannot be
 * evaluated (no server facts, no key with known size), its points go to the others in proportion. Without keys there
 * is no score. Advice about keys does not count.
 *
 * Shares are of the keys that could be evaluated. A key is neither free nor violating if it violates no rule of a
 * strength, but a fact that such a rule needs is unknown. A line gets only as much of its points as the evaluated share
 * of all keys, because a few evaluated keys must not decide for all.
 *
 * `fixes` are computed by the same sum with one rule removed from every mask. The gain is the difference of the two
 * scores as they are shown, so it is exact.
 */

import type { Score, ScoreLine } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';

interface ScoredKeys {
  keys: number;
  bytes: number;
  /** Ids of the rules that these keys violate, without exempted ones. */
  violated: readonly string[];
  /** Strengths of the rules that could not be evaluated on these keys. */
  notEvaluated: readonly Strength[];
}
export interface ScoreInput {
  /** Keys by the rules that they violate, including keys that violate none. */
  combinations: readonly ScoredKeys[];
  getStrength(rule: string): Strength;
  /** The id of the fix: a rule that has several ids, one per strength, is fixed as one. */
  toFixId(rule: string): string;
  groups: readonly { rule: string; strength: Strength; violated: boolean; keys: number }[];
  /** Empty if the server is not part of this score (a prefix, an owner). */
  server: readonly { rule: string; strength: Strength; verdict: 'violated' | 'passed' | 'unknown' }[];
  getTitle(rule: string): string | null;
}

const POINTS = { mandatory: 55, recommended: 20, groups: 10, server: 15 } as const;
const GROUP_WEIGHT: Record<Strength, number> = { mandatory: 0.4, recommended: 0.2, advice: 0.05 };
const SERVER_WEIGHT: Record<Strength, number> = { mandatory: 4, recommended: 2, advice: 1 };
const MAX_FIXES = 10;

interface Sums {
  keys: number;
  mandatory: Part;
  recommended: Part;
}
interface Part {
  /** Keys that violate a rule of the strength. */
  keys: number;
  bytes: number;
  /** Keys on which the rules of the strength could be evaluated, violating ones included. */
  judgedKeys: number;
  judgedBytes: number;
}
const PARTS = ['mandatory', 'recommended'] as const;
const createPart = (): Part => ({ keys: 0, bytes: 0, judgedKeys: 0, judgedBytes: 0 });

export function computeScore(input: ScoreInput): Score {
  const sums = sumParts(input);
  // The settings of a server without keys give no score.
  if (sums.keys === 0) return createNoScore('no_keys');
  const lines = buildLines(input, sums, null);
  const total = sumPoints(lines);
  if (total === null) return createNoScore('not_judged');
  return {
    score: roundToTenth(total),
    reason: null,
    lines: roundToAddUp(lines, roundToTenth(total)),
    fixes: findFixes(input, sums, total),
  };
}

export const createNoScore = (reason: NonNullable<Score['reason']>): Score => ({
  score: null,
  reason,
  lines: [],
  fixes: [],
});

/** Rounds to one decimal so that the lines as shown add up to the score and to 100. */
function roundToAddUp(lines: readonly ScoreLine[], total: number): ScoreLine[] {
  const of = distributeTenths(
    lines.map((line) => line.of),
    1000,
    lines.map(() => 1000),
  );
  const points = distributeTenths(
    lines.map((line) => line.points),
    Math.round(total * 10),
    of,
  );
  return lines.map((line, i) => ({ ...line, points: points[i]! / 10, of: of[i]! / 10 }));
}

/**
 * Rounds each value down to tenths and distributes what is missing from `sum` (in tenths) to those that lost most, none
 * of which gets more than its `max`.
 */
function distributeTenths(values: readonly number[], sum: number, max: readonly number[]): number[] {
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

/** Rounds to one decimal, half up. */
const roundToTenth = (value: number) => Math.round(value * 10 + 1e-9) / 10;
const sumPoints = (lines: readonly ScoreLine[]) =>
  lines.length === 0 ? null : lines.reduce((n, line) => n + line.points, 0);

function sumParts({ combinations, getStrength }: ScoreInput): Sums {
  const sums: Sums = { keys: 0, mandatory: createPart(), recommended: createPart() };
  for (const { keys, bytes, violated, notEvaluated } of combinations) {
    sums.keys += keys;
    for (const strength of PARTS) {
      const isViolated = violated.some((rule) => getStrength(rule) === strength);
      if (!isViolated && notEvaluated.includes(strength)) continue;
      sums[strength].judgedKeys += keys;
      sums[strength].judgedBytes += bytes;
      if (!isViolated) continue;
      sums[strength].keys += keys;
      sums[strength].bytes += bytes;
    }
  }
  return sums;
}

/**
 * The lines of the score, scaled so that their `of` add up to 100. `without` is a group or server rule that counts as
 * if nothing violated it; null: none. (For a key rule the caller adapts `sums`.)
 */
function buildLines(input: ScoreInput, sums: Sums, without: string | null): ScoreLine[] {
  const parts: ScoreLine[] = [];
  for (const part of PARTS) {
    const { keys, bytes, judgedKeys, judgedBytes } = sums[part];
    if (judgedKeys === 0) continue;
    const freeKeys = 1 - keys / judgedKeys;
    // If no size is known, the share of keys counts for both halves.
    const freeBytes = judgedBytes > 0 ? 1 - bytes / judgedBytes : freeKeys;
    const of = (POINTS[part] * judgedKeys) / sums.keys;
    parts.push({
      part,
      of,
      points: of * (freeKeys / 2 + freeBytes / 2),
      figures: {
        freeKeys,
        ...(judgedBytes > 0 && { freeBytes, bytes }),
        keys,
        unknownKeys: sums.keys - judgedKeys,
      },
    });
  }
  if (input.groups.length > 0) parts.push(buildGroupsLine(input, sums, without));
  const judged = input.server.filter((rule) => rule.verdict !== 'unknown');
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
        unknown: input.server.length - judged.length,
      },
    });
  }
  const available = parts.reduce((n, line) => n + line.of, 0);
  return parts.map((line) => ({ ...line, points: (line.points * 100) / available, of: (line.of * 100) / available }));
}

function buildGroupsLine(input: ScoreInput, sums: Sums, without: string | null): ScoreLine {
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

function findFixes(input: ScoreInput, sums: Sums, total: number): Score['fixes'] {
  const keyRules = new Map<string, { keys: number; sums: Sums }>();
  const copy = (): Sums => ({ ...sums, mandatory: { ...sums.mandatory }, recommended: { ...sums.recommended } });
  for (const { keys, bytes, violated, notEvaluated } of input.combinations) {
    for (const rule of violated) {
      const fix = input.toFixId(rule);
      const own = keyRules.get(fix) ?? { keys: 0, sums: copy() };
      keyRules.set(fix, own);
      own.keys += keys;
      const strength = input.getStrength(rule);
      if (strength === 'advice' || violated.some((other) => other !== rule && input.getStrength(other) === strength))
        continue;
      own.sums[strength].keys -= keys;
      own.sums[strength].bytes -= bytes;
      // After the fix these keys are not evaluated, because another fact is unknown.
      if (!notEvaluated.includes(strength)) continue;
      own.sums[strength].judgedKeys -= keys;
      own.sums[strength].judgedBytes -= bytes;
    }
  }
  const candidates: { rule: string; keys: number | null; sums: Sums }[] = [
    ...[...keyRules].map(([rule, own]) => ({ rule, keys: own.keys, sums: own.sums })),
    ...input.groups.filter((group) => group.violated).map(({ rule, keys }) => ({ rule, keys, sums })),
    ...input.server.filter(({ verdict }) => verdict === 'violated').map(({ rule }) => ({ rule, keys: null, sums })),
  ];
  return candidates
    .map(({ rule, keys, sums: after }) => ({
      rule,
      title: input.getTitle(rule),
      gain: roundToTenth(roundToTenth(sumPoints(buildLines(input, after, rule)) ?? total) - roundToTenth(total)),
      keys,
    }))
    .filter((fix) => fix.gain > 0)
    .sort((a, b) => b.gain - a.gain || (b.keys ?? 0) - (a.keys ?? 0) || (a.rule < b.rule ? -1 : 1))
    .slice(0, MAX_FIXES);
}
