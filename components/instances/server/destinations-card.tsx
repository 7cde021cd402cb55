import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { usePersonName } from '@/components/data/format/use-person-name';
import { May } from '@/components/data/may';
import { useChangeDestinations, useDestinations } from '@/components/data/queries/use-destinations';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { toast } from '@/components/ui/overlays/toast';
import { UnconfirmedAlert } from './unconfirmed-alert';

/** The announced addresses: those that wait for confirmation, and those that are confirmed. */
export function DestinationsCard({ instanceId, unconfirmed }: { instanceId: string; unconfirmed: string[] }) {
  const t = useTranslations('instances.destinations');
  const query = useDestinations(instanceId);
  const personName = usePersonName();
  const change = useChangeDestinations(instanceId);
  const confirmed = query.data ?? [];
  const confirm = (addresses: string[]) =>
    change.mutate({ confirm: addresses }, { onSuccess: () => toast.success(t('done', { count: addresses.length })) });
  const withdraw = (address: string) =>
    change.mutate({ withdraw: [address] }, { onSuccess: () => toast.success(t('withdrawn', { address })) });
  return (
    <Card id="addresses" className="scroll-mt-16">
      <CardHeader title={t('title')} />
      <CardBody className="space-y-3">
        <ErrorAlert error={change.error} />
        {unconfirmed.length > 0 ? (
          <UnconfirmedAlert
            addresses={unconfirmed}
            actions={
              <May permission="instance.manage" instanceId={instanceId} reason>
                <Button size="sm" busy={change.isPending} onClick={() => confirm(unconfirmed)}>
                  {t('confirmAll', { count: unconfirmed.length })}
                </Button>
              </May>
            }
            renderAction={(address) => (
              <May permission="instance.manage" instanceId={instanceId}>
                <Button size="sm" variant="ghost" disabled={change.isPending} onClick={() => confirm([address])}>
                  {t('confirm')}
                  <span className="sr-only"> {address}</span>
                </Button>
              </May>
            )}
          />
        ) : null}
        {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
        {query.data ? <p className="text-muted-foreground">{t(confirmed.length > 0 ? 'text' : 'none')}</p> : null}
        {confirmed.length > 0 ? (
          <ul className="divide-y rounded-lg border" aria-label={t('confirmed')}>
            {confirmed.map(({ address, confirmedBy, confirmedAt }) => (
              <li key={address} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                <span className="font-mono text-xs">{address}</span>
                <span className="flex-1 text-muted-foreground text-xs">
                  {personName(confirmedBy)} · <TimeAgo at={confirmedAt} />
                </span>
                <May permission="instance.manage" instanceId={instanceId}>
                  <Button size="sm" variant="ghost" disabled={change.isPending} onClick={() => withdraw(address)}>
                    {t('withdraw')}
                    <span className="sr-only"> {address}</span>
                  </Button>
                </May>
              </li>
            ))}
          </ul>
        ) : null}
      </CardBody>
    </Card>
  );
}
