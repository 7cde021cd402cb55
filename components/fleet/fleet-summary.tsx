import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { FleetRow } from '@/lib/model/reports/fleet';

/**
 * Sums of the known values: an instance that was never scanned adds nothing, and the hint says how many were scanned.
 */
export function FleetSummary({ rows }: { rows: FleetRow[] }) {
  const t = useTranslations('fleet.summary');
  const f = useFormat();
  const scanned = rows.flatMap((r) => (r.latest ? [r.latest] : []));
  const sumKnown = (pick: (s: (typeof scanned)[number]) => number | null): number | null => {
    const known = scanned.map(pick).filter((v): v is number => v !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
  };
  const judged = rows.flatMap((r) =>
    r.findings && r.latest ? [{ of: r.latest.keys, keys: r.findings.mandatory }] : [],
  );
  const mandatory = judged.reduce((all, one) => ({ of: all.of + one.of, keys: all.keys + one.keys }), {
    of: 0,
    keys: 0,
  });
  const keys = sumKnown((s) => s.keys);
  const noExpiry = sumKnown((s) => s.noExpiryKeys);
  // A running scan counts its keys before it has counted expiries, and a share needs both of the same instances.
  const counted = sumKnown((s) => (s.noExpiryKeys === null ? null : s.keys));
  const share = counted && noExpiry !== null ? noExpiry / counted : null;
  return (
    <StatGrid className="md:grid-cols-3 xl:grid-cols-6">
      <Stat label={t('instances')} value={f.number(rows.length)} hint={t('scanned', { count: scanned.length })} />
      <Stat
        label={t('keys')}
        value={<Value value={keys} as="compact" />}
        hint={keys !== null && keys >= 10_000 ? f.number(keys) : undefined}
      />
      <Stat label={t('memory')} value={<Value value={sumKnown((s) => s.bytes)} as="bytes" />} />
      <Stat
        label={t('mandatory')}
        value={<Value value={judged.length === 0 ? null : mandatory.keys} as="compact" />}
        hint={
          judged.length < rows.length
            ? t('evaluated', { count: judged.length, total: rows.length })
            : mandatory.of > 0
              ? t('ofKeys', { share: f.share(mandatory.keys / mandatory.of) })
              : undefined
        }
      />
      <Stat label={t('bigkeys')} value={<Value value={sumKnown((s) => s.bigkeys)} as="compact" />} />
      <Stat
        label={t('noExpiry')}
        value={<Value value={noExpiry} as="compact" />}
        hint={share === null ? undefined : t('ofKeys', { share: f.share(share) })}
      />
    </StatGrid>
  );
}
