import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useReportHref } from '@/components/reports/use-report-href';
import { Link } from '@/components/ui/link';
import { Stat, StatGrid } from '@/components/ui/stat';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TtlReport } from '@/lib/model/reports/reports';
import { buildTtlFilter } from './ttl-filter';

const CLASSES = ['none', 'any', 'expired', 'unknown'] as const;

/** The number of keys under the filter: `any` contains the `expired` keys. */
export const sumKeys = ({ none, any, unknown }: TtlReport) => none.keys + any.keys + unknown.keys;

/** The four classes of expiry and the keys that expire soon, each with a link to the list of its keys. */
export function TtlSummary({ instanceId, report }: { instanceId: string; report: TtlReport }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const all = sumKeys(report);
  const limit = f.seconds(report.shortest.underSeconds);
  return (
    <StatGrid className="md:grid-cols-5 xl:col-span-2">
      {CLASSES.map((id) => (
        <Stat
          key={id}
          label={<span title={t(`${id}Hint`)}>{t(id)}</span>}
          value={
            <Link href={href('keys', { expiry: id })} className="hover:text-accent">
              <Value value={report[id].keys} as="compact" />
            </Link>
          }
          share={all > 0 ? report[id].keys / all : null}
          shareTone={id === 'none' ? 'warning' : 'accent'}
          hint={`${f.shareOf(report[id].keys, all)} · ${f.bytes(toKnownBytes(report[id]))}`}
        />
      ))}
      <Stat
        className="max-md:col-span-2"
        label={<span title={t('shortHint', { limit })}>{t('short')}</span>}
        value={
          <Link href={href('keys', buildTtlFilter(0, report.shortest.underSeconds))} className="hover:text-accent">
            <Value value={report.shortest.keys} as="compact" />
          </Link>
        }
        share={all > 0 ? report.shortest.keys / all : null}
        hint={t('underLimit', { limit })}
      />
    </StatGrid>
  );
}
