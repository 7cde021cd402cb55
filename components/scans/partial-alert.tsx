import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import { visibleText } from '@/components/ui/visible-text';
import { isPartialScan } from '@/lib/model/snapshots/scan';
import type { Coverage, SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** That a snapshot is of a part of the keyspace, or may miss keys, and why, where people look first. */
export function PartialAlert({ manifest: { options, coverage } }: { manifest: SnapshotManifest }) {
  const t = useTranslations('overview');
  return (
    <>
      {isPartialScan(options) ? (
        <Alert tone="warning" title={t('part')}>
          {options.match ? (
            <span className="block">{t('partPrefix', { prefix: visibleText(options.match) })}</span>
          ) : null}
          {options.databases === null ? null : (
            <span className="block">{t('partDatabases', { databases: options.databases.join(', ') })}</span>
          )}
          <span className="block">{t('partText')}</span>
        </Alert>
      ) : null}
      {coverage.partial ? (
        <Alert tone="warning" title={t('partial')}>
          {coverage.partialReasons.length > 0 ? <PartialReasons reasons={coverage.partialReasons} /> : null}
        </Alert>
      ) : null}
    </>
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
