import { formatByteCount, formatNumber, formatPercent, safe } from '@/cli/units';
import type { FindingsReport, RuleFinding, StrengthTotals } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { listPartRows } from './partial-text';

export type ReadPart = Pick<SnapshotManifest, 'options'>;

/** A rule that was not evaluated, with what is missing for it, if that is known. */
export function formatUnevaluated({ rule, because, missing, server }: RuleFinding): string {
  const lacked = because ? [WORDS_OF[because]] : (server?.missing ?? missing ?? []).map(safe);
  return lacked.length > 0 ? `${safe(rule)} (${lacked.join(', ')})` : safe(rule);
}

const WORDS_OF = { noOwners: 'no prefix has an owner' } as const;

/** The findings as head and rows, shared by text and Markdown. */
export function buildFindingsRows(read: ReadPart, report: FindingsReport, rules: readonly RuleInfo[]) {
  const titles = new Map(rules.map((rule) => [rule.id, rule.text.en.title]));
  const getTitle = (rule: string, own: string | null) => safe(own ?? titles.get(rule) ?? '');
  const { total, mandatory, score } = report;
  const violated = report.rules.filter((finding) => finding.status === 'violated');
  const formatKeys = ({ keys, atLeast }: StrengthTotals) =>
    `${atLeast ? 'at least ' : ''}${formatNumber(keys)} keys (${formatPercent(keys, total.keys)})`;
  const unknown = report.rules.filter((finding) => finding.status === 'unknown');
  return {
    facts: [
      ...listPartRows(read),
      ['score', score.score === null ? 'unknown' : `${score.score.toFixed(1)} of 100`],
      [
        'profile',
        report.profiles
          .map((p) => (p.prefix === null ? safe(p.name) : `${safe(p.name)} (${safe(p.prefix)})`))
          .join(', '),
      ],
      [
        'mandatory findings',
        `${formatKeys(mandatory)}, ${mandatory.bytes === null ? 'memory unknown' : formatByteCount(mandatory.bytes)}`,
      ],
      ['recommended', formatKeys(report.recommended)],
      ['advice', formatKeys(report.advice)],
      ...(report.exempt.keys > 0 ? [['exempted', `${formatNumber(report.exempt.keys)} keys`]] : []),
      ...(unknown.length > 0 ? [['not evaluated', unknown.map(formatUnevaluated).join(', ')]] : []),
    ] as [string, string][],
    ruleHead: ['rule', 'strength', 'what', 'keys', 'share', 'memory', 'example'],
    rules: violated.map((f) => [
      f.rule,
      f.strength,
      getTitle(f.rule, f.title),
      f.keys === null ? '—' : formatNumber(f.keys),
      f.keys === null ? '—' : formatPercent(f.keys, total.keys),
      f.bytes === null ? '—' : formatByteCount(f.bytes),
      f.example === null ? safe(f.server?.evidence[0]?.address ?? '') : safe(f.example.name),
    ]),
    fixes: score.fixes.slice(0, 5).map((f) => [`+${f.gain.toFixed(1)}`, f.rule, getTitle(f.rule, f.title)]),
    fixHead: ['points', 'rule', 'biggest score gains'],
  };
}
