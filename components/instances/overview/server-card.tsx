import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { getFlavorName } from '@/components/instances/server/flavor-name';
import { useHere } from '@/components/layout/navigation/use-here';
import { useIgnoredFilters } from '@/components/reports/use-ignored-filters';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FactList, FactRow } from '@/components/ui/fact-list';
import { Link } from '@/components/ui/link';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** The server at the time of the scan. */
export function ServerCard({ instanceId, manifest }: { instanceId: string; manifest: SnapshotManifest }) {
  const { instanceHref } = useHere();
  const t = useTranslations('overview.server');
  const roles = useTranslations('instances.report.roles');
  const ignoredFilters = useIgnoredFilters();
  const unknown = <Value value={null} as="number" />;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={ignoredFilters}
        actions={
          <Link href={instanceHref(instanceId, '/server')} className="rounded text-accent text-xs hover:underline">
            {t('more')}
          </Link>
        }
      />
      <CardBody className="py-2">
        <FactList>
          <FactRow label={t('version')}>
            {manifest.version ? `${getFlavorName(manifest.flavor)} ${manifest.version}`.trim() : unknown}
          </FactRow>
          <FactRow label={t('policy')}>
            {manifest.maxmemoryPolicy ? <span className="font-mono text-xs">{manifest.maxmemoryPolicy}</span> : unknown}
          </FactRow>
          <FactRow label={t('used')}>
            <Value value={manifest.usedMemoryBytes} as="bytes" />
          </FactRow>
          <FactRow label={t('lazy')}>
            {manifest.lazyfreeLazyExpire === null ? unknown : t(manifest.lazyfreeLazyExpire ? 'on' : 'off')}
          </FactRow>
          <FactRow label={t('nodes')}>
            {manifest.nodes.map(({ address, role }) => (
              <span key={address} className="block font-mono text-xs">
                {address} <span className="text-muted-foreground">{roles(role)}</span>
              </span>
            ))}
          </FactRow>
        </FactList>
      </CardBody>
    </Card>
  );
}
