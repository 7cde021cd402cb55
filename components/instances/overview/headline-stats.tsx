import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport } from '@/lib/model/reports/reports';

export function HeadlineStats({ report }: { report: OverviewReport }) {
  const t = useTranslations('overview.stat');
  const f = useFormat();
  const known = report.keys - report.bytesUnknown;
  const bigBytes = knownBytes({ keys: report.bigkeys, bytes: report.bigkeyBytes });
  const bigShare = report.bytes > 0 ? report.bigkeyBytes / report.bytes : null;
  const noExpiryShare = report.keys > 0 ? report.expiry.none / report.keys : null;
  return (
    <StatGrid>
      <Stat
        label={t('keys')}
        value={<Value value={report.keys} as="number" />}
        hint={t('keysIn', { count: report.prefixCount })}
      />
      <Stat
        label={t('memory')}
        value={<Value value={known > 0 || report.keys === 0 ? report.bytes : null} as="bytes" />}
        hint={
          report.bytesUnknown > 0
            ? t('memoryUnknown', { count: report.bytesUnknown, shown: f.number(report.bytesUnknown) })
            : t('memoryAverage', { value: f.bytes(known > 0 ? report.bytes / known : null) })
        }
      />
      <Stat
        label={t('bigkeys')}
        value={<Value value={report.bigkeys} as="number" />}
        share={bigShare}
        shareTone="warning"
        hint={
          report.bigkeysUnknown
            ? t('bigkeysUnknown', { count: report.bigkeysUnknown })
            : t('bigkeysShare', { bytes: f.bytes(bigBytes), share: f.share(bigShare) })
        }
      />
      <Stat
        label={t('noExpiry')}
        value={<Value value={report.expiry.none} as="number" />}
        share={noExpiryShare}
        hint={t('noExpiryShare', { share: f.share(noExpiryShare) })}
      />
    </StatGrid>
  );
}
