import { Minus, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

const MAX = 64;

export function SlotWhatIf(props: { report: SlotsReport; masters: number; onMasters: (masters: number) => void }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { masters } = props;
  const simulation = props.report.simulation;
  const top = Math.max(1, ...(simulation?.bytes ?? []));
  const topKeys = Math.max(1, ...(simulation?.keys ?? []));
  const byBytes = (simulation?.bytes ?? []).some((v) => v > 0);
  const step = (by: number) => props.onMasters(Math.max(1, Math.min(MAX, masters + by)));
  return (
    <Card>
      <CardHeader
        title={t('whatIf')}
        description={t('whatIfHint')}
        actions={
          <fieldset className="flex items-center gap-1" aria-label={t('masters')}>
            <Button size="iconXs" onClick={() => step(-1)} disabled={masters <= 1} aria-label={`${t('masters')} −1`}>
              <Minus aria-hidden />
            </Button>
            <output className="num w-20 text-center text-sm" aria-live="polite">
              {t('mastersCount', { count: masters })}
            </output>
            <Button size="iconXs" onClick={() => step(1)} disabled={masters >= MAX} aria-label={`${t('masters')} +1`}>
              <Plus aria-hidden />
            </Button>
          </fieldset>
        }
      />
      {simulation ? (
        <CardBody className="grid gap-3">
          <ol className="flex h-24 items-end gap-1" aria-label={t('whatIfHint')}>
            {simulation.keys.map((keys, i) => {
              const bytes = simulation.bytes[i] ?? 0;
              const share = byBytes ? bytes / top : keys / topKeys;
              const text = `${t('master_n', { n: i + 1 })}: ${t('keysUnit', { n: keys, count: f.number(keys) })}, ${f.bytes(toKnownBytes({ keys, bytes }))}`;
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: masters are numbered
                <li key={i} title={text} className="flex h-full min-w-0.5 flex-1 flex-col justify-end">
                  <span className="sr-only">{text}</span>
                  <span aria-hidden className="flex min-h-0 flex-1 flex-col justify-end">
                    <span
                      className="rounded-t-[3px] bg-chart-1/70"
                      style={{ height: `${Math.max(2, share * 100)}%` }}
                    />
                  </span>
                  {simulation.keys.length <= 8 ? (
                    <span aria-hidden className="num mt-1 truncate text-center text-2xs text-muted-foreground">
                      {byBytes ? f.bytes(bytes) : f.compact(keys)}
                    </span>
                  ) : null}
                </li>
              );
            })}
          </ol>
          <p className="text-muted-foreground text-xs">
            {t('whatIfResult', { times: simulation.maxOverMean === null ? '—' : f.decimal(simulation.maxOverMean, 2) })}
          </p>
        </CardBody>
      ) : null}
    </Card>
  );
}
