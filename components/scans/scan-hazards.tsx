import { useTranslations } from 'use-intl';
import { useServerReport } from '@/components/data/queries/use-instances';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Skeleton } from '@/components/ui/skeleton';
import type { Warning } from '@/lib/model/servers/server-facts';
import { WarningList } from './warning-list';

/** Warnings that do not concern a scan. The page of the server shows them. */
const NOT_ABOUT_SCANS = new Set<Warning['code']>([
  'no_password',
  'no_tls',
  'tls_unverified',
  'default_user_full_access',
  'memory_unlimited',
  'many_databases',
]);

/** Shows what the server reports about itself now that matters before a scan. */
export function ScanHazards({ instanceId }: { instanceId: string }) {
  const t = useTranslations('scans.dialog');
  const report = useServerReport(instanceId);
  const errorText = useErrorText();
  if (report.isPending)
    return (
      <div role="status" className="space-y-2">
        <p className="text-muted-foreground text-xs">{t('checking')}</p>
        <Skeleton className="h-10" />
      </div>
    );
  if (report.error) {
    const { title, hint } = errorText(report.error);
    return (
      <Alert tone="warning" title={t('unreachable')}>
        {title}. {hint}
      </Alert>
    );
  }
  const hazards = report.data.warnings.filter((w) => w.severity !== 'info' && !NOT_ABOUT_SCANS.has(w.code));
  if (hazards.length === 0) return null;
  return (
    <section aria-label={t('before')} className="space-y-1.5">
      <h3 className="font-medium">{t('before')}</h3>
      <WarningList warnings={hazards} />
    </section>
  );
}
