import { useTranslations } from 'use-intl';
import { LazySnapshotDelta } from '@/components/data/deltas/lazy-snapshot-delta';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { Measure } from '@/lib/model/snapshots/trends';

/** The figures of a snapshot, or of its keys under a filter, and their change since the scan before. */
export function HeadlineStats(props: {
  report: OverviewReport;
  /** null: the figures are not of all keys of a sealed snapshot, so they are not compared. */
  snapshotId: string | null;
  filtered: boolean;
}) {
  const { report, snapshotId, filtered } = props;
  const t = useTranslations('overview.stat');
  const f = useFormat();
  const known = report.keys - report.bytesUnknown;
  const bigBytes = toKnownBytes({ keys: report.bigkeys, bytes: report.bigkeyBytes });
  const bigShare = report.bytes > 0 ? report.bigkeyBytes / report.bytes : null;
  const noExpiryShare = report.keys > 0 ? report.expiry.none / report.keys : null;
  const delta = (measure: Measure, as: 'number' | 'bytes') =>
    snapshotId === null ? null : (
      <span className="block">
        <LazySnapshotDelta snapshotId={snapshotId} of={{ measure }} as={as} spelled />
      </span>
    );
  return (
    <StatGrid>
      <Stat
        label={t('keys')}
        value={<Value value={report.keys} as="number" />}
        hint={
          <>
            {t('keysIn', { count: report.prefixCount })}
            {delta('keys', 'number')}
          </>
        }
      />
      <Stat
        label={t('memory')}
        value={<Value value={known > 0 || report.keys === 0 ? report.bytes : null} as="bytes" />}
        hint={
          <>
            {report.bytesUnknown > 0
              ? t('memoryUnknown', { count: report.bytesUnknown, shown: f.number(report.bytesUnknown) })
              : t('memoryAverage', { value: f.bytes(known > 0 ? report.bytes / known : null) })}
            {delta('bytes', 'bytes')}
          </>
        }
      />
      <Stat
        label={t('bigkeys')}
        value={<Value value={report.bigkeys} as="number" />}
        share={bigShare}
        shareTone="warning"
        hint={
          <>
            {report.bigkeysUnknown
              ? t('bigkeysUnknown', { count: report.bigkeysUnknown })
              : t(filtered ? 'bigkeysShareOf' : 'bigkeysShare', { bytes: f.bytes(bigBytes), share: f.share(bigShare) })}
            {delta('bigkeys', 'number')}
          </>
        }
      />
      <Stat
        label={t('noExpiry')}
        value={<Value value={report.expiry.none} as="number" />}
        share={noExpiryShare}
        hint={
          <>
            {t(filtered ? 'noExpiryShareOf' : 'noExpiryShare', { share: f.share(noExpiryShare) })}
            {delta('noExpiry', 'number')}
          </>
        }
      />
    </StatGrid>
  );
}
