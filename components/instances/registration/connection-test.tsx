import { CircleCheck, PlugZap } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { getUnconfirmedAddresses } from '@/components/data/queries/use-destinations';
import { useTestConnection } from '@/components/data/queries/use-instances';
import { useErrorText } from '@/components/data/use-error-text';
import { UnconfirmedAlert } from '@/components/instances/server/unconfirmed-alert';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import type { Topology, TypedInstance } from '@/lib/model/servers/instance';
import { findFieldFailure } from './field-failure';
import type { FormValues } from './form-values';
import { FROM_SERVER } from './use-field-error';

/** The result of a test. It is loaded after the first one, because its tables are large. */
const ConnectionFacts = dynamic(() => import('./connection-facts').then((loaded) => loaded.ConnectionFacts), {
  ssr: false,
});

/** Errors that say which topology the server really has; one click chooses it in the form. */
const CORRECT_TOPOLOGIES: Record<string, Topology> = {
  redis_is_cluster: 'cluster',
  redis_is_sentinel: 'sentinel',
  redis_not_cluster: 'standalone',
  redis_not_sentinel: 'standalone',
};

export function ConnectionTestPanel({ instanceId }: { instanceId: string | null }) {
  const t = useTranslations('instances');
  const errorText = useErrorText();
  const form = useFormContext<FormValues, unknown, TypedInstance>();
  const test = useTestConnection();
  /** The values of the form at the last test, as JSON; null: nothing was tested yet. */
  const [tested, setTested] = useState<string | null>(null);
  const currentValues = JSON.stringify(useWatch<FormValues>());
  const run = form.handleSubmit((input) => {
    setTested(JSON.stringify(form.getValues()));
    test.mutate(instanceId === null ? input : { ...input, instanceId }, {
      onError: (error) => {
        const fieldFailure = findFieldFailure(error);
        if (fieldFailure)
          form.setError(fieldFailure.field, { type: FROM_SERVER, message: fieldFailure.check }, { shouldFocus: true });
      },
    });
  });
  const fieldFailure = test.error ? findFieldFailure(test.error) : null;
  const failure = test.error && !fieldFailure ? errorText(test.error) : null;
  const topology = failure ? CORRECT_TOPOLOGIES[failure.code] : undefined;
  const report = test.data;
  const unconfirmed = test.error ? getUnconfirmedAddresses(test.error) : (report?.unconfirmed ?? []);
  const confirm = () => {
    const destinations = [form.getValues('destinations').trim(), ...unconfirmed].filter(Boolean).join('\n');
    form.setValue('destinations', destinations, { shouldDirty: true });
    void run();
  };
  return (
    <Card className="xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto">
      <CardHeader
        title={t('test.title')}
        actions={
          <Button size="sm" onClick={() => void run()} busy={test.isPending}>
            {test.isPending ? null : <PlugZap aria-hidden />}
            {t(tested === null ? 'test.run' : 'test.again')}
          </Button>
        }
      />
      <CardBody className="space-y-4" aria-live="polite">
        {test.isIdle ? <p className="text-muted-foreground">{t('test.idle')}</p> : null}
        {test.isPending ? (
          <div role="status" className="space-y-2">
            <p className="text-muted-foreground">{t('test.running')}</p>
            <Skeleton />
            <Skeleton className="w-3/4" />
            <Skeleton className="w-1/2" />
          </div>
        ) : null}
        {fieldFailure && !test.isPending ? <Alert tone="danger" title={t(`check.${fieldFailure.check}`)} /> : null}
        {unconfirmed.length > 0 && !test.isPending ? (
          <UnconfirmedAlert
            addresses={unconfirmed}
            actions={
              <Button size="sm" onClick={confirm}>
                {t('destinations.confirmTest')}
              </Button>
            }
          />
        ) : null}
        {failure && unconfirmed.length === 0 && !test.isPending ? (
          <Alert tone="danger" title={failure.title}>
            <p>{failure.hint}</p>
            {failure.detail ? <p className="mt-1 font-mono text-muted-foreground text-xs">{failure.detail}</p> : null}
            {topology ? (
              <Button
                size="sm"
                className="mt-2"
                onClick={() => {
                  form.setValue('topology', topology, { shouldDirty: true });
                  void run();
                }}
              >
                {t('test.switchTo', { topology: t(`topology.${topology}`) })}
              </Button>
            ) : null}
          </Alert>
        ) : null}
        {report && !test.isPending && !test.error ? (
          <>
            {tested !== currentValues ? <Alert tone="info">{t('test.changed')}</Alert> : null}
            <p className="flex items-center gap-2 font-medium text-success">
              <CircleCheck className="size-4" aria-hidden />
              {t('test.ok')}
            </p>
            <ConnectionFacts report={report} />
          </>
        ) : null}
      </CardBody>
    </Card>
  );
}
