import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { OverviewReport } from '@/lib/model/reports/reports';

/** The figures of a snapshot, or of its keys under a filter, and their change since the previous snapshot. */
export function HeadlineStats(props: { report: OverviewReport; before: SnapshotSummary | null; filtered: boolean }) {
  const { report, before, filtered } = props;
  const t = useTranslations('overview.stat');
  const f = useFormat();
  const known = report.keys - report.bytesUnknown;
  const bigBytes = toKnownBytes({ keys: report.bigkeys, bytes: report.bigkeyBytes });
  const bigShare = report.bytes > 0 ? report.bigkeyBytes / report.bytes : null;
  const noExpiryShare = report.keys > 0 ? report.expiry.none / report.keys : null;
  return (
    <StatGrid>
      <Stat
        label={t('keys')}
        value={<Value value={report.keys} as="number" />}
        hint={
          <>
            {t('keysIn', { count: report.prefixCount })}
            <SinceBefore now={report.keys} then={before?.keys} at={before?.startedAt} as="number" />
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
            <SinceBefore now={report.bytes} then={before?.bytes} at={before?.startedAt} as="bytes" />
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
            <SinceBefore now={report.bigkeys} then={before?.bigkeys} at={before?.startedAt} as="number" />
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
            <SinceBefore now={report.expiry.none} then={before?.noExpiryKeys} at={before?.startedAt} as="number" />
          </>
        }
      />
    </StatGrid>
  );
}

/** The change of a figure since the previous snapshot. Renders nothing if either is unknown. */
function SinceBefore(props: {
  now: number | null;
  then: number | null | undefined;
  at: number | undefined;
  as: 'number' | 'bytes';
}) {
  const t = useTranslations('overview.stat');
  const f = useFormat();
  const { now, then, at } = props;
  if (now === null || then === null || then === undefined || at === undefined) return null;
  const size = f[props.as](Math.abs(now - then));
  const change = now === then ? '±0' : now > then ? `+${size}` : `−${size}`;
  return (
    <span className="block" title={t('sinceHint', { before: f[props.as](then) })}>
      {t('since', { change, time: f.dateTime(at) })}
    </span>
  );
}
