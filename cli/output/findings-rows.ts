import { formatByteCount, formatNumber, formatPercent, safe } from '@/cli/units';
import type { FindingsReport, RuleFinding, StrengthTotals } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { listPartRows } from './partial-text';

export type ReadPart = Pick<SnapshotManifest, 'options'>;

/** A rule that was not evaluated, with what is missing for it, if that is known. */
export function formatUnevaluated({ rule, because, missing, server }: RuleFinding): string {
  const missingFacts = because ? [REASONS[because]] : (server?.missing ?? missing ?? []).map(safe);
  return missingFacts.length > 0 ? `${safe(rule)} (${missingFacts.join(', ')})` : safe(rule);
}

const REASONS = { noOwners: 'no prefix has an owner' } as const;

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
          .map(({ name, prefix }) => (prefix === null ? safe(name) : `${safe(name)} (${safe(prefix)})`))
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
    rules: violated.map((finding) => [
      finding.rule,
      finding.strength,
      getTitle(finding.rule, finding.title),
      finding.keys === null ? '—' : formatNumber(finding.keys),
      finding.keys === null ? '—' : formatPercent(finding.keys, total.keys),
      finding.bytes === null ? '—' : formatByteCount(finding.bytes),
      finding.example === null ? safe(finding.server?.evidence[0]?.address ?? '') : safe(finding.example.name),
    ]),
    fixes: score.fixes.slice(0, 5).map(({ gain, rule, title }) => [`+${gain.toFixed(1)}`, rule, getTitle(rule, title)]),
    fixHead: ['points', 'rule', 'biggest score gains'],
  };
}
