import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge } from '@/components/ui/badge';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { ScanTime } from './scan-time';

/** When an instance was last scanned, and whether a scan has failed since; the page of the instance says why. */
export function LatestScan({ row: { latest, failedAt } }: { row: FleetRow }) {
  const t = useTranslations('fleet');
  const f = useFormat();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      {latest ? (
        <ScanTime at={latest.endedAt ?? latest.startedAt} />
      ) : (
        <span className="text-muted-foreground">{t('never')}</span>
      )}
      {latest?.partial && latest.state === 'sealed' ? (
        <Badge tone="warning" title={t('incompleteHint')}>
          {t('incomplete')}
        </Badge>
      ) : null}
      {failedAt === null ? null : (
        <Badge tone="danger" title={t('failedHint', { at: f.dateTime(failedAt) })}>
          {t('failed')}
        </Badge>
      )}
    </span>
  );
}
