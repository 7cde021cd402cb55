import { Pin, PinOff } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { usePinActs } from '@/components/data/queries/use-trends';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { KeyName } from '@/components/ui/key-name';
import { toast } from '@/components/ui/overlays/toast';
import { toLine } from '@/lib/model/snapshots/trend-breaks';
import type { InstanceTrends, TrendPin, TrendSeries } from '@/lib/model/snapshots/trends';
import { TrendCard } from './trend-card';
import { TRENDS_PARAMS } from './trends-params';

const DIMS = ['prefix', 'template'] as const;
const BY = ['bytes', 'keys'] as const;

/** The pinned prefixes and templates over time, and a form that pins another one. */
export function PinnedCard({ instanceId, trends }: { instanceId: string; trends: InstanceTrends }) {
  const t = useTranslations('trends.pinned');
  const [{ pinned: by }, set] = useQueryStates(TRENDS_PARAMS);
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('text')}
        actions={
          trends.pinned.length > 0 ? (
            <Segmented
              size="sm"
              label={t('by')}
              value={by}
              onValueChange={(pinned) => void set({ pinned })}
              options={BY.map((value) => ({ value, label: t(value) }))}
            />
          ) : null
        }
      />
      <CardBody className="space-y-4">
        <May permission="policy.edit" instanceId={instanceId} instead>
          <PinForm instanceId={instanceId} />
        </May>
        {trends.pinned.length === 0 ? (
          <p className="py-4 text-center text-muted-foreground">{t('none')}</p>
        ) : (
          <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
            {trends.pinned.map((series) => (
              <PinnedChart
                key={`${series.dim} ${series.key}`}
                instanceId={instanceId}
                trends={trends}
                series={series}
                by={by}
              />
            ))}
          </div>
        )}
      </CardBody>
    </Card>
  );
}

function PinnedChart(props: { instanceId: string; trends: InstanceTrends; series: TrendSeries; by: 'bytes' | 'keys' }) {
  const { trends, series, by } = props;
  const t = useTranslations('trends.pinned');
  const errorText = useErrorText();
  const { unpin } = usePinActs(props.instanceId);
  const pin = { dim: series.dim, key: series.key } as TrendPin;
  return (
    <TrendCard
      title={<KeyName name={series.key} max={40} />}
      name={t(by)}
      line={toLine(trends.scans, series.points, by)}
      as={by === 'bytes' ? 'bytes' : 'compact'}
      empty={series.points.length === 0 ? t('waiting') : undefined}
      action={
        <May permission="policy.edit" instanceId={props.instanceId}>
          <Button
            variant="ghost"
            size="iconXs"
            aria-label={t('unpin', { name: series.key })}
            disabled={unpin.isPending}
            onClick={() => unpin.mutate(pin, { onError: (error) => void toast.error(errorText(error).title) })}
          >
            <PinOff aria-hidden />
          </Button>
        </May>
      }
    />
  );
}

function PinForm({ instanceId }: { instanceId: string }) {
  const t = useTranslations('trends.pinned');
  const errorText = useErrorText();
  const { pin } = usePinActs(instanceId);
  const [dim, setDim] = useState<TrendPin['dim']>('prefix');
  const [key, setKey] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The prefixes that are recorded end with the delimiter, as in the tree.
    const name = dim === 'prefix' && !key.endsWith(':') ? `${key}:` : key;
    pin.mutate(
      { dim, key: name },
      { onSuccess: () => setKey(''), onError: (error) => void toast.error(errorText(error).title) },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <Segmented
        label={t('kind')}
        value={dim}
        onValueChange={setDim}
        options={DIMS.map((value) => ({ value, label: t(value) }))}
      />
      <Input
        aria-label={t(dim)}
        value={key}
        spellCheck={false}
        autoComplete="off"
        placeholder={dim === 'prefix' ? 'shop:cart:' : 'user:{int}:profile'}
        className="max-w-80 flex-1 basis-40 font-mono"
        onChange={(event) => setKey(event.target.value)}
      />
      <Button type="submit" disabled={key === '' || pin.isPending}>
        <Pin aria-hidden />
        {t('pin')}
      </Button>
    </form>
  );
}
