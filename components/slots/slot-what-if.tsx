import { Minus, Plus } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { SlotsReport } from '@/lib/model/reports/reports';

/** The largest number of masters that can be simulated. */
const MAX = 64;

/** How the keys would be distributed over another number of masters with an equal number of slots each. */
export function SlotWhatIf(props: { report: SlotsReport; masters: number; onMasters: (masters: number) => void }) {
  const t = useTranslations('slots');
  const f = useFormat();
  const { masters } = props;
  const simulation = props.report.simulation;
  const { keys: allKeys = [], bytes: allBytes = [] } = simulation ?? {};
  const [maxKeys, maxBytes] = [Math.max(1, ...allKeys), Math.max(1, ...allBytes)];
  // Without MEMORY USAGE there are no sizes to compare.
  const byBytes = allBytes.some((bytes) => bytes > 0);
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
            {allKeys.map((keys, i) => {
              const bytes = allBytes[i] ?? 0;
              const share = byBytes ? bytes / maxBytes : keys / maxKeys;
              const keysText = t('keysUnit', { n: keys, count: f.number(keys) });
              const text = `${t('master_n', { n: i + 1 })}: ${keysText}, ${f.bytes(toKnownBytes({ keys, bytes }))}`;
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
                  {allKeys.length <= 8 ? (
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
