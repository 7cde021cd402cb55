import { CircleCheck, PlugZap } from 'lucide-react';
import type { RefObject } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { asErrorBody } from '@/components/data/api-error';
import { getUnconfirmedAddresses } from '@/components/data/queries/use-destinations';
import { UnconfirmedAlert } from '@/components/instances/server/unconfirmed-alert';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { Skeleton } from '@/components/ui/skeleton';
import { findFieldFailure } from './field-failure';
import type { FormValues } from './form-values';
import { MasterChoice, TestFailure } from './test-failure';
import type { ConnectionTestState } from './use-connection-test';

/** The result of a test. It is loaded after the first one, because its tables are large. */
const ConnectionFacts = createLazyPart(() => import('./connection-facts').then((loaded) => loaded.ConnectionFacts));

/** The actions that are offered if the test found something that keeps an instance from being registered. */
export interface StoppedRegistration {
  /** Tests again with what was confirmed, and registers. */
  again: () => void;
  /** Registers with the values as they are. */
  anyway: () => void;
}

/** The button that tests, and the result. `stopped`: registering waits for a decision; null: it does not. */
export function ConnectionTestPanel(props: {
  test: ConnectionTestState;
  stopped: StoppedRegistration | null;
  panel: RefObject<HTMLElement | null>;
}) {
  const { test, panel } = props;
  const t = useTranslations('instances');
  const form = useFormContext<FormValues>();
  const stopped = test.isOutdated ? null : props.stopped;
  const { error, report } = test;
  const fieldFailure = error ? findFieldFailure(error) : null;
  const { details = {} } = error ? asErrorBody(error) : {};
  const unconfirmed = error ? getUnconfirmedAddresses(error) : (report?.unconfirmed ?? []);
  const map = (error ? details.addressMap : report?.addressMap) ?? [];
  const proposal = Array.isArray(map) ? map : [];
  // The announced addresses lead nowhere then, so the map is the step to take.
  const isForwarded = proposal.length > 0;
  const masters = Array.isArray(details.masters) ? details.masters : [];
  const addLines = (field: 'destinations' | 'addressMap', lines: string[]) => {
    const text = [form.getValues(field).trim(), ...lines].filter(Boolean).join('\n');
    form.setValue(field, text, { shouldDirty: true });
  };
  const confirm = () => {
    addLines('destinations', unconfirmed);
    if (stopped) stopped.again();
    else void test.run();
  };
  return (
    <Card
      ref={panel}
      tabIndex={-1}
      aria-label={t('test.title')}
      className="outline-none xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto"
    >
      <CardHeader
        title={t('test.title')}
        actions={
          <Button size="sm" onClick={() => void test.run()} busy={test.isPending}>
            {test.isPending ? null : <PlugZap aria-hidden />}
            {t(test.hasRun ? 'test.again' : 'test.run')}
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
        {test.isOutdated && !test.isPending ? <Alert tone="info">{t('test.changed')}</Alert> : null}
        {fieldFailure ? <Alert tone="danger" title={t(`check.${fieldFailure.check}`)} /> : null}
        {error && !fieldFailure && unconfirmed.length === 0 ? <TestFailure error={error} test={test} /> : null}
        {masters.length > 0 ? (
          <MasterChoice
            names={masters}
            onChoose={(name) => {
              form.setValue('sentinelName', name, { shouldDirty: true });
              void test.run();
            }}
          />
        ) : null}
        {isForwarded ? (
          <Alert tone="warning" title={t('test.proposal')}>
            <p>{t('test.proposalText')}</p>
            <ul className="mt-2 max-h-48 space-y-1 overflow-y-auto font-mono text-xs">
              {proposal.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <Button
              size="sm"
              variant={stopped ? 'primary' : 'secondary'}
              className="mt-2"
              onClick={() => {
                addLines('addressMap', proposal);
                void test.run();
              }}
            >
              {t('test.useProposal')}
            </Button>
          </Alert>
        ) : null}
        {unconfirmed.length > 0 ? (
          <UnconfirmedAlert addresses={unconfirmed}>
            <Button size="sm" variant={stopped && !isForwarded ? 'primary' : 'secondary'} onClick={confirm}>
              {t(stopped ? 'test.confirmRegister' : 'destinations.confirmTest')}
            </Button>
          </UnconfirmedAlert>
        ) : null}
        {stopped && masters.length === 0 ? (
          <Alert tone="info" title={t('test.stopped')}>
            <p>{t(error ? 'test.stoppedFailed' : 'test.stoppedPart')}</p>
            <Button size="sm" className="mt-2" onClick={stopped.anyway}>
              {t(error ? 'test.anyway' : 'test.without')}
            </Button>
          </Alert>
        ) : null}
        {report ? (
          <>
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
