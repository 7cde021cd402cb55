'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { useFormat } from '@/components/data/format/use-format';
import { BucketCard } from '@/components/reports/bucket-card';
import { dropZeroDecimals } from '@/components/reports/drop-zero-decimals';
import { ReportPage } from '@/components/reports/report-page';
import { SIZES_PARAMS } from '@/components/reports/report-params';
import { useReportHref } from '@/components/reports/use-report-href';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { NamesReport } from '@/lib/model/reports/reports';
import { NameShares } from './name-shares';

export function NamesPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('names');
  return (
    <ReportPage
      instanceId={instanceId}
      name="names"
      title={t('title')}
      intro={t('intro')}
      isEmpty={(report) => report.keys === 0}
    >
      {({ report }) => (
        <div className="grid items-start gap-3 lg:grid-cols-2">
          <EachCard>
            <Figures report={report} />
            <Lengths instanceId={instanceId} report={report} />
            <NameShares
              title={t('characters')}
              hint={t('charactersHint')}
              all={report.keys}
              rows={report.characters.map((row) => ({ ...row, id: row.kind, label: t(`character.${row.kind}`) }))}
            />
            <NameShares
              title={t('segments')}
              hint={t('segmentsHint')}
              all={report.keys}
              rows={report.segments.map((row) => ({
                ...row,
                id: String(row.segments),
                label: t(row.orMore ? 'segmentMany' : 'segmentCount', { count: row.segments }),
              }))}
            />
            <NameShares
              title={t('styles')}
              hint={t('stylesHint')}
              all={report.keys}
              mono
              rows={report.styles.map((row) => ({ ...row, id: row.style, label: row.style }))}
            />
          </EachCard>
        </div>
      )}
    </ReportPage>
  );
}

function Figures({ report }: { report: NamesReport }) {
  const t = useTranslations('names');
  const f = useFormat();
  return (
    <StatGrid className="lg:col-span-2">
      <Stat label={t('stat.average')} value={f.bytes(report.nameBytes / report.keys)} />
      <Stat label={t('stat.longest')} value={f.bytes(report.maxNameBytes)} />
      <Stat label={t('stat.memory')} value={f.bytes(report.nameBytes)} hint={t('stat.memoryHint')} />
      <Stat label={t('mixed')} value={f.shareOf(report.mixed, report.keys)} hint={t('mixedHint')} />
    </StatGrid>
  );
}

function Lengths({ instanceId, report }: { instanceId: string; report: NamesReport }) {
  const t = useTranslations('names');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const [{ by }, set] = useQueryStates(SIZES_PARAMS);
  return (
    <BucketCard
      title={t('lengths')}
      hint={t('lengthsHint')}
      head={t('bucket')}
      height={280}
      by={by}
      onBy={(next) => void set({ by: next })}
      buckets={report.lengths.map(({ from, to, keys, nameBytes }) => ({
        id: String(from),
        axis: dropZeroDecimals(f.bytes(from)),
        label: to === null ? t('over', { from: f.bytes(from) }) : t('range', { from: f.bytes(from), to: f.bytes(to) }),
        href: href('keys', { nameBytesMin: from, nameBytesMax: to === null ? undefined : to - 1 }),
        keys,
        bytes: nameBytes,
      }))}
    />
  );
}
