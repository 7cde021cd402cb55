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

/** What a test found, with its tables, loaded once one has been made. */
const ConnectionFacts = dynamic(() => import('./connection-facts').then((loaded) => loaded.ConnectionFacts), {
  ssr: false,
});

/** Errors that say which topology it really is: one click mends the form. */
const MENDS: Record<string, Topology> = {
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
  const [tested, setTested] = useState<string | null>(null);
  const now = JSON.stringify(useWatch<FormValues>());
  const run = form.handleSubmit((input) => {
    setTested(JSON.stringify(form.getValues()));
    test.mutate(instanceId === null ? input : { ...input, instanceId }, {
      onError: (error) => {
        const wrong = findFieldFailure(error);
        if (wrong) form.setError(wrong.field, { type: FROM_SERVER, message: wrong.check }, { shouldFocus: true });
      },
    });
  });
  const wrong = test.error ? findFieldFailure(test.error) : null;
  const failure = test.error && !wrong ? errorText(test.error) : null;
  const mend = failure ? MENDS[failure.code] : undefined;
  const report = test.data;
  const waiting = test.error ? getUnconfirmedAddresses(test.error) : (report?.unconfirmed ?? []);
  const confirm = () => {
    const named = [form.getValues('destinations').trim(), ...waiting].filter(Boolean).join('\n');
    form.setValue('destinations', named, { shouldDirty: true });
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
        {wrong && !test.isPending ? <Alert tone="danger" title={t(`check.${wrong.check}`)} /> : null}
        {waiting.length > 0 && !test.isPending ? (
          <UnconfirmedAlert
            addresses={waiting}
            actions={
              <Button size="sm" onClick={confirm}>
                {t('destinations.confirmTest')}
              </Button>
            }
          />
        ) : null}
        {failure && waiting.length === 0 && !test.isPending ? (
          <Alert tone="danger" title={failure.title}>
            <p>{failure.hint}</p>
            {failure.detail ? <p className="mt-1 font-mono text-muted-foreground text-xs">{failure.detail}</p> : null}
            {mend ? (
              <Button
                size="sm"
                className="mt-2"
                onClick={() => {
                  form.setValue('topology', mend, { shouldDirty: true });
                  void run();
                }}
              >
                {t('test.switchTo', { topology: t(`topology.${mend}`) })}
              </Button>
            ) : null}
          </Alert>
        ) : null}
        {report && !test.isPending && !test.error ? (
          <>
            {tested !== now ? <Alert tone="info">{t('test.changed')}</Alert> : null}
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
