import { useTranslations } from 'use-intl';
import { BarList } from '@/components/charts/bar-list';
import { useFormat } from '@/components/data/format/use-format';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport, Totals } from '@/lib/model/reports/reports';

type Part = Totals & { db?: number; node?: number; address?: string };

/** The data of each node, or of each database if there is only one node. */
export function Parts({ report }: { report: OverviewReport }) {
  if (report.nodes.length > 1) return <PartsCard kind="nodes" parts={report.nodes} />;
  return report.databases.length > 0 ? <PartsCard kind="databases" parts={report.databases} /> : null;
}

function PartsCard({ kind, parts }: { kind: 'databases' | 'nodes'; parts: Part[] }) {
  const t = useTranslations('overview');
  const f = useFormat();
  return (
    <Card>
      <CardHeader title={kind === 'nodes' ? t('nodes.title') : t('databases.title')} />
      <CardBody>
        <BarList
          label={kind === 'nodes' ? t('nodes.tableLabel') : t('databases.tableLabel')}
          rows={parts.map((p) => ({
            id: String(p.db ?? p.node),
            label: <span className="font-mono text-xs">{p.address ?? `db${p.db}`}</span>,
            value: p.bytes,
            valueLabel: f.number(p.keys),
            note: f.bytes(knownBytes(p)),
          }))}
        />
      </CardBody>
    </Card>
  );
}
