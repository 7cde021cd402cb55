import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { FactList, FactRow } from '@/components/ui/fact-list';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { getFlavorName } from './flavor-name';

export function ReportFacts({ report }: { report: ConnectionReport }) {
  const t = useTranslations('instances');
  const unknown = <Value value={null} as="number" />;
  const masters = report.nodes.filter((node) => node.role !== 'replica');
  // A replica that was registered by itself has the only figures.
  const counted = masters.length > 0 ? masters : report.nodes.slice(0, 1);
  const replica = masters.length > 0 ? undefined : report.nodes[0];
  /** The sum over all nodes that count; null: it is unknown for one of them. */
  const sumKnown = (pick: (node: (typeof masters)[number]) => number | null) =>
    counted.length > 0 && counted.every((node) => pick(node) !== null)
      ? counted.reduce((total, node) => total + (pick(node) ?? 0), 0)
      : null;
  return (
    <FactList>
      <FactRow label={t('report.version')}>
        {report.version ? `${getFlavorName(report.flavor)} ${report.version}`.trim() : unknown}
      </FactRow>
      <FactRow label={t('report.topology')}>
        {t(`topology.${report.topology}`)}
        {replica ? ` · ${t('report.isReplica', { master: replica.masterAddress ?? t('report.roles.unknown') })}` : null}
      </FactRow>
      <FactRow label={t('report.latency')}>
        <Value value={report.latencyMs} as="ms" />
      </FactRow>
      <FactRow label={t('report.user')}>
        <span className="font-mono text-xs">{report.username ?? 'default'}</span>
      </FactRow>
      <FactRow label={t('report.keys')}>
        <Value value={sumKnown((node) => node.keys)} as="number" />
      </FactRow>
      <FactRow label={t('report.used')}>
        <Value value={sumKnown((node) => node.usedMemoryBytes)} as="bytes" />
      </FactRow>
      <FactRow label={t('report.policy')}>
        {report.maxmemoryPolicy ? <span className="font-mono text-xs">{report.maxmemoryPolicy}</span> : unknown}
      </FactRow>
      <FactRow label={t('report.lazy')}>
        {report.lazyfreeLazyExpire === null ? unknown : t(report.lazyfreeLazyExpire ? 'report.on' : 'report.off')}
      </FactRow>
      <FactRow label={t('report.modules')}>
        {report.modules === null
          ? unknown
          : report.modules.length === 0
            ? t('report.noModules')
            : report.modules.join(', ')}
      </FactRow>
    </FactList>
  );
}
