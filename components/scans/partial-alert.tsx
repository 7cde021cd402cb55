import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useHere } from '@/components/layout/navigation/use-here';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { toVisibleText } from '@/components/ui/visible-text';
import { LAST_SLOT } from '@/lib/model/last-slot';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { Coverage, SnapshotManifest } from '@/lib/model/snapshots/snapshot';

const ALL_SLOTS = LAST_SLOT + 1;

/** Says at the top of the page that a snapshot covers only a part of the keyspace, or may miss keys, and why. */
export function PartialAlert({ manifest: { instanceId, options, coverage } }: { manifest: SnapshotManifest }) {
  const t = useTranslations('overview');
  const f = useFormat();
  const { instanceHref } = useHere();
  return (
    <>
      {isLimitedScan(options) ? (
        <Alert tone="warning" title={t('part')}>
          {options.match ? (
            <span className="block">{t('partPrefix', { prefix: toVisibleText(options.match) })}</span>
          ) : null}
          {options.databases === null ? null : (
            <span className="block">{t('partDatabases', { databases: options.databases.join(', ') })}</span>
          )}
          <span className="block">{t('partText')}</span>
        </Alert>
      ) : null}
      {coverage.partial ? (
        <Alert
          tone="warning"
          title={t('partial')}
          actions={
            instanceId && coverage.skipped.some(({ reason }) => reason === 'not_confirmed') ? (
              <Button asChild size="sm">
                <Link href={instanceHref(instanceId, '/server')}>{t('confirmNodes')}</Link>
              </Button>
            ) : null
          }
        >
          {coverage.skipped.map(({ address, db, slots }) => (
            <span key={`${address}/${db}`} className="block text-xs">
              <span className="font-mono">{address}</span>{' '}
              {slots ? t('nodeMissing', { slots, share: f.share(slots / ALL_SLOTS) }) : t('nodeSkipped')}
            </span>
          ))}
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
