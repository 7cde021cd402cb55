import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Topology } from '@/lib/model/servers/instance';
import type { FormValues } from './form-values';
import type { ConnectionTestState } from './use-connection-test';

/** Errors that say which topology the server really has; one click chooses it in the form. */
const CORRECT_TOPOLOGIES: Record<string, Topology> = {
  redis_is_cluster: 'cluster',
  redis_is_sentinel: 'sentinel',
  redis_not_cluster: 'standalone',
  redis_not_sentinel: 'standalone',
};

/** Why a test failed, with the change of the form that may help. */
export function TestFailure({ error, test }: { error: unknown; test: ConnectionTestState }) {
  const t = useTranslations('instances');
  const form = useFormContext<FormValues>();
  const { code, title, hint, detail } = useErrorText()(error);
  const topology = CORRECT_TOPOLOGIES[code];
  const change = (to: Topology, onlyEndpoints: boolean) => {
    form.setValue('topology', to, { shouldDirty: true });
    form.setValue('onlyEndpoints', onlyEndpoints, { shouldDirty: true });
    void test.run();
  };
  return (
    <Alert tone="danger" title={title}>
      <p>{hint}</p>
      {detail ? <p className="mt-1 font-mono text-muted-foreground text-xs">{detail}</p> : null}
      {topology ? (
        <div className="mt-2 flex flex-wrap gap-1.5">
          <Button size="sm" onClick={() => change(topology, false)}>
            {t('test.switchTo', { topology: t(`topology.${topology}`) })}
          </Button>
          {topology === 'cluster' ? (
            <Button size="sm" variant="ghost" onClick={() => change('cluster', true)}>
              {t('test.useOnly')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </Alert>
  );
}

/** The masters that a Sentinel watches, to choose from. */
export function MasterChoice({ names, onChoose }: { names: string[]; onChoose: (name: string) => void }) {
  const t = useTranslations('instances.test');
  return (
    <section aria-label={t('masters')} className="space-y-2">
      <h3 className="font-medium">{t('masters')}</h3>
      <ul className="max-h-64 divide-y overflow-y-auto rounded-lg border">
        {names.map((name) => (
          <li key={name} className="flex items-center gap-2 px-3 py-1.5">
            <span className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{toVisibleText(name)}</span>
            <Button size="sm" variant="ghost" onClick={() => onChoose(name)}>
              {t('useMaster')}
              <span className="sr-only"> {toVisibleText(name)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
