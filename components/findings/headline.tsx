import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useReportHref } from '@/components/reports/use-report-href';
import { Link } from '@/components/ui/link';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { FindingsReport, StrengthTotals } from '@/lib/model/rules/findings';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';

const TONES = { mandatory: 'danger', recommended: 'warning', advice: 'accent' } as const;

/** The number of keys with at least one finding of each strength, groups included. */
export function Headline({ report, instanceId }: { report: FindingsReport; instanceId: string }) {
  const t = useTranslations('findings.headline');
  const f = useFormat();
  const keysHref = useReportHref(instanceId);
  const { total } = report;
  const formatTotals = ({ keys, atLeast }: StrengthTotals) => `${atLeast ? '≥ ' : ''}${f.compact(keys)}`;
  // The link replaces any rule or strength that the address already filters by.
  const buildHref = (which: { strength: (typeof STRENGTHS)[number][] } | { exempt: true }) =>
    keysHref('keys', { rule: null, strength: null, exempt: null, ...which });
  return (
    <StatGrid>
      {STRENGTHS.map((strength) => (
        <Stat
          key={strength}
          label={t(strength)}
          value={
            // No list by strength contains the keys of groups; the pages of their rules show where they are.
            report[strength].listed === 0 && report[strength].keys > 0 ? (
              formatTotals(report[strength])
            ) : (
              <Link href={buildHref({ strength: [strength] })} className="hover:text-accent hover:underline">
                {formatTotals(report[strength])}
              </Link>
            )
          }
          share={total.keys > 0 ? report[strength].keys / total.keys : 0}
          shareTone={TONES[strength]}
          hint={
            <>
              {t('of', {
                share: f.shareOf(report[strength].keys, total.keys),
                bytes: f.bytes(report[strength].bytes),
              })}
              {report[strength].listed < report[strength].keys || report[strength].atLeast ? (
                <span className="block" title={t('groupsHint')}>
                  {t('groups', { count: f.number(report[strength].listed) })}
                </span>
              ) : null}
            </>
          }
        />
      ))}
      <Stat
        label={t('exempt')}
        value={
          report.exempt.keys === 0 ? (
            f.compact(0)
          ) : (
            <Link href={buildHref({ exempt: true })} className="hover:text-accent hover:underline">
              {f.compact(report.exempt.keys)}
            </Link>
          )
        }
        hint={t('exemptHint')}
      />
    </StatGrid>
  );
}
