import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { FactList, FactRow } from '@/components/ui/fact-list';
import type { Cost } from '@/lib/model/job';

/** The load that a scan added to the server, as measured by the server and by Colonnade. */
export function CostFacts({ cost }: { cost: Cost }) {
  const t = useTranslations('scans.cost');
  const rows: [string, ReactNode, string?][] = [
    [t('commands'), <Value key="v" value={cost.commands} as="number" />],
    [t('sent'), <Value key="v" value={cost.bytesSent} as="bytes" />],
    [t('received'), <Value key="v" value={cost.bytesReceived} as="bytes" />],
    [t('serverMs'), <Value key="v" value={cost.serverMs} as="ms" />, t('serverMsHint')],
    [t('worst'), <Value key="v" value={cost.worstLatencyMs} as="ms" />],
    [t('busy'), <Value key="v" value={cost.busyMs} as="ms" />],
    [t('waited'), <Value key="v" value={cost.waitedMs} as="ms" />],
  ];
  return (
    <FactList>
      {rows.map(([label, value, title]) => (
        <FactRow key={label} label={label} title={title}>
          {value}
        </FactRow>
      ))}
    </FactList>
  );
}
