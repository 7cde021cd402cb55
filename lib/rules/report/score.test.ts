import { describe, expect, it } from 'vitest';
import type { Strength } from '@/lib/model/rules/rules';
import { computeScore, type ScoreInput } from './score';

const strengths: Record<string, Strength> = { M1: 'mandatory', M2: 'mandatory', R1: 'recommended', A1: 'advice' };
const input = (over: Partial<ScoreInput>): ScoreInput => ({
  combinations: [],
  getStrength: (rule) => strengths[rule]!,
  toFixId: (rule) => rule,
  getTitle: () => null,
  groups: [],
  server: [],
  ...over,
});
const keys = (n: number, bytes: number, ...violated: string[]) => ({
  keys: n,
  bytes,
  violated,
  notEvaluated: [] as Strength[],
});
/** Keys that miss a fact which mandatory rules need. */
const unknown = (n: number, bytes: number) => ({ ...keys(n, bytes), notEvaluated: ['mandatory' as Strength] });
const server = (verdict: 'violated' | 'passed' | 'unknown', strength: Strength = 'mandatory', rule = 'C1') => ({
  rule,
  strength,
  verdict,
});

describe('the score', () => {
  it.each<[string, Partial<ScoreInput>, number | null]>([
    ['nothing to judge', {}, null],
    ['only the server, unknown', { server: [server('unknown')] }, null],
    ['only the server, passed: no keys, no score', { server: [server('passed')] }, null],
    ['all free', { combinations: [keys(10, 100)], server: [server('passed')] }, 100],
    ['all mandatory violated, nothing else judged', { combinations: [keys(10, 100, 'M1')] }, 26.7],
    ['half of the keys with no bytes', { combinations: [keys(5, 100), keys(5, 0, 'M1')] }, 81.7],
    ['sizes unknown: keys alone', { combinations: [keys(5, 0), keys(5, 0, 'M1')] }, 63.3],
    ['recommended', { combinations: [keys(10, 100, 'R1')] }, 73.3],
    ['what is unknown is not good', { combinations: [keys(5, 50), keys(5, 50, 'M1'), unknown(90, 900)] }, 89.2],
    ['nothing known of mandatory rules', { combinations: [unknown(10, 100)] }, 100],
    ['violated, whatever else is unknown', { combinations: [{ ...unknown(10, 100), violated: ['M1'] }] }, 26.7],
    ['advice does not count', { combinations: [keys(10, 100, 'A1')] }, 100],
    ['two rules on one key count once', { combinations: [keys(10, 100, 'M1', 'M2')] }, 26.7],
    [
      'a violated group over all keys',
      { combinations: [keys(10, 100)], groups: [{ rule: 'G', strength: 'mandatory', violated: true, keys: 10 }] },
      95.3,
    ],
    [
      'server half passed',
      { combinations: [keys(1, 1)], server: [server('passed'), server('violated', 'mandatory', 'C2')] },
      91.7,
    ],
  ])('%s', (_name, given, expected) => {
    expect(computeScore(input(given)).score).toBe(expected);
  });

  it('tells exactly what each repair is worth, best first', () => {
    const before = [keys(10, 10), keys(6, 60, 'M1'), keys(4, 30, 'M1', 'M2'), keys(3, 5, 'R1')];
    const given = input({ combinations: before, server: [server('violated'), server('passed', 'advice', 'C9')] });
    const { score: now, fixes } = computeScore(given);
    for (const fix of fixes) {
      const repaired = before.map((c) => ({ ...c, violated: c.violated.filter((rule) => rule !== fix.rule) }));
      const after = computeScore({
        ...given,
        combinations: repaired,
        server: given.server.map((s) => (s.rule === fix.rule ? { ...s, verdict: 'passed' as const } : s)),
      });
      expect(after.score).toBeCloseTo(now! + fix.gain, 9);
    }
    expect(fixes.map((fix) => fix.gain)).toEqual(fixes.map((fix) => fix.gain).sort((a, b) => b - a));
    expect(fixes[0]).toMatchObject({ rule: 'M1', keys: 10 });
    // M2 is violated only together with M1, so repairing it alone gains nothing.
    expect(fixes.map((fix) => fix.rule)).not.toContain('M2');
  });

  it('tells of a rule of two strengths and of unknown facts what it is worth once both are repaired', () => {
    const before = [
      keys(10, 10),
      keys(6, 60, 'M1/m'),
      keys(5, 20, 'M1/r'),
      { ...unknown(7, 30), violated: ['M1/m'] },
      keys(2, 9, 'M2/m', 'M1/m'),
      unknown(3, 3),
    ];
    const given = input({
      combinations: before,
      getStrength: (rule) => (rule.endsWith('m') ? 'mandatory' : 'recommended'),
      toFixId: (rule) => rule.slice(0, 2),
    });
    const { score: now, fixes } = computeScore(given);
    expect(fixes.map((fix) => [fix.rule, fix.keys])).toEqual([['M1', 20]]);
    const repaired = before.map((c) => ({ ...c, violated: c.violated.filter((rule) => !rule.startsWith('M1')) }));
    const after = computeScore({ ...given, combinations: repaired });
    expect(after.score).toBeCloseTo(now! + fixes[0]!.gain, 9);
  });

  it('is the same whatever the order of its lines, and its parts add up', () => {
    const some = [keys(3, 7, 'M1'), keys(9, 1, 'R1'), keys(4, 4)];
    const one = computeScore(input({ combinations: some }));
    expect(computeScore(input({ combinations: [...some].reverse() })).score).toBe(one.score);
  });

  it('is the sum of its lines as they are shown, and no line has more points than it may', () => {
    let seed = 5;
    const upTo = (n: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % n;
    };
    for (let i = 0; i < 500; i++) {
      const { score: total, lines } = computeScore(
        input({
          combinations: [
            keys(upTo(50) + 1, upTo(900)),
            keys(upTo(50), upTo(900), 'M1'),
            keys(upTo(50), upTo(900), 'R1'),
            unknown(upTo(3) * upTo(50), upTo(900)),
          ],
          groups: upTo(2) ? [{ rule: 'G', strength: 'recommended', violated: true, keys: upTo(60) }] : [],
          server: upTo(2) ? [server('violated'), server('passed', 'advice', 'C9')] : [],
        }),
      );
      const sum = (part: 'of' | 'points') => Math.round(lines.reduce((n, line) => n + line[part], 0) * 1000) / 1000;
      expect([sum('of'), sum('points')]).toEqual([100, total]);
      for (const { points, of } of lines) expect(points).toBeLessThanOrEqual(of);
    }
  });
});
