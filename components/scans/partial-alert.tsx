import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import type { Coverage } from '@/lib/model/snapshots/snapshot';

/** That a snapshot may miss keys, and why, where people look first. */
export function PartialAlert({ coverage }: { coverage: Coverage }) {
  const t = useTranslations('overview');
  if (!coverage.partial) return null;
  return (
    <Alert tone="warning" title={t('partial')}>
      {coverage.partialReasons.length > 0 ? <PartialReasons reasons={coverage.partialReasons} /> : null}
    </Alert>
  );
}

export function PartialReasons({ reasons }: { reasons: Coverage['partialReasons'] }) {
  const t = useTranslations('overview.coverage.partialReason');
  return reasons.map(({ code, address, db, params }) => (
    <span key={`${code}/${address}/${db}`} className="block text-xs">
      {address === null ? null : <span className="font-mono">{address} — </span>}
      {db === null ? null : <span className="font-mono">db{db} — </span>}
      {t(code, params)}
    </span>
  ));
}
