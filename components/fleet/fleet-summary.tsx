import { useTranslations } from 'use-intl';
import { LazyFleetDelta } from '@/components/data/deltas/lazy-fleet-delta';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { FleetRow } from '@/lib/model/reports/fleet';
import type { Measure } from '@/lib/model/snapshots/trends';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Sums of the known values: an instance that was never scanned adds nothing, and the hint says how many were scanned.
 */
export function FleetSummary({ rows }: { rows: FleetRow[] }) {
  const t = useTranslations('fleet.summary');
  const f = useFormat();
  const ids = rows.map(({ instance }) => instance.id);
  const delta = (measure: Measure, as: 'compact' | 'bytes') => (
    <LazyFleetDelta instanceIds={ids} measure={measure} as={as} />
  );
  const scanned = rows.flatMap(({ latest }) => (latest ? [latest] : []));
  const sumKnown = (pick: (snapshot: (typeof scanned)[number]) => number | null): number | null => {
    const known = scanned.map(pick).filter((value) => value !== null);
    return known.length === 0 ? null : sum(known);
  };
  const evaluated = rows.flatMap((row) =>
    row.findings && row.latest ? [{ keys: row.latest.keys, mandatory: row.findings.mandatory }] : [],
  );
  const mandatory = sum(evaluated.map((row) => row.mandatory));
  const evaluatedKeys = sum(evaluated.map((row) => row.keys));
  const keys = sumKnown((snapshot) => snapshot.keys);
  const noExpiry = sumKnown((snapshot) => snapshot.noExpiryKeys);
  // A running scan counts its keys before it has counted expiries, and a share needs both of the same instances.
  const counted = sumKnown((snapshot) => (snapshot.noExpiryKeys === null ? null : snapshot.keys));
  const share = counted && noExpiry !== null ? noExpiry / counted : null;
  return (
    <StatGrid className="md:grid-cols-3 xl:grid-cols-6">
      <Stat label={t('instances')} value={f.number(rows.length)} hint={t('scanned', { count: scanned.length })} />
      <Stat
        label={t('keys')}
        value={<Value value={keys} as="compact" />}
        hint={
          <>
            {keys !== null && keys >= 10_000 ? `${f.number(keys)} ` : null}
            {delta('keys', 'compact')}
          </>
        }
      />
      <Stat
        label={t('memory')}
        value={<Value value={sumKnown((snapshot) => snapshot.bytes)} as="bytes" />}
        hint={delta('bytes', 'bytes')}
      />
      <Stat
        label={t('mandatory')}
        value={<Value value={evaluated.length === 0 ? null : mandatory} as="compact" />}
        hint={
          <>
            {evaluated.length < rows.length
              ? t('evaluated', { count: evaluated.length, total: rows.length })
              : evaluatedKeys > 0
                ? t('ofKeys', { share: f.share(mandatory / evaluatedKeys) })
                : null}{' '}
            {delta('found', 'compact')}
          </>
        }
      />
      <Stat
        label={t('bigkeys')}
        value={<Value value={sumKnown((snapshot) => snapshot.bigkeys)} as="compact" />}
        hint={delta('bigkeys', 'compact')}
      />
      <Stat
        label={t('noExpiry')}
        value={<Value value={noExpiry} as="compact" />}
        hint={
          <>
            {share === null ? null : `${t('ofKeys', { share: f.share(share) })} `}
            {delta('noExpiry', 'compact')}
          </>
        }
      />
    </StatGrid>
  );
}
