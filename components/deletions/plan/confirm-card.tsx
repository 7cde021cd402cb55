import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useStartDeletion } from '@/components/data/queries/use-deletions';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Link } from '@/components/ui/link';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { Consent } from '@/lib/model/deletions/plan-request';
import { getProtectionMarks } from '@/lib/model/servers/protection-marks';
import { ConfirmFacts } from './confirm-facts';

/**
 * The confirmation of a plan, or a second one of a deletion that waits because its instance has changed. Every consent
 * must be ticked and the name of the instance typed; the text of the button says what it does.
 */
export function ConfirmCard({ deletion }: { deletion: Deletion }) {
  const { plan, state, missing } = deletion;
  const t = useTranslations('deletions');
  const { instanceHref } = useHere();
  const settings = instanceHref(plan.instanceId, '/edit');
  const instance = useInstance(plan.instanceId);
  const start = useStartDeletion();
  const [typed, setTyped] = useState('');
  const [consents, setConsents] = useState<ReadonlySet<Consent>>(new Set());
  const ready = typed === plan.phrase && missing.every((consent) => consents.has(consent));
  const expire = plan.task === 'expire';
  const may = useMay('deletion.run', plan.instanceId);
  if (!may)
    return (
      <May permission="deletion.run" instanceId={plan.instanceId} instead>
        {null}
      </May>
    );
  if (instance.data && getProtectionMarks(instance.data).readOnly)
    return (
      <Alert
        tone="warning"
        actions={
          instance.data.readOnly && (
            <Button asChild size="sm">
              <Link href={`${settings}${settings.includes('?') ? '&' : '?'}plan=${plan.id}`}>
                {t('confirm.toSettings')}
              </Link>
            </Button>
          )
        }
      >
        {t(instance.data.readOnly ? 'confirm.readOnly' : 'confirm.readOnlyElsewhere', { name: plan.instanceName })}
      </Alert>
    );
  // The page asks for the missing password of the write user above this card (WriteUserMissing).
  if (instance.data?.separateWriteUser && !instance.data.hasWritePassword) return null;
  return (
    <Card>
      <CardHeader title={t(state === 'planned' ? 'confirm.title' : 'confirm.again')} />
      <CardBody className="space-y-5">
        <ConfirmFacts plan={plan} />
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (ready) start.mutate({ planId: plan.id, confirm: typed, consents: [...consents] });
          }}
        >
          {missing.map((consent) => (
            <label key={consent} className="flex items-start gap-2.5">
              <input
                type="checkbox"
                className="mt-0.5 size-4 shrink-0 accent-accent-solid"
                checked={consents.has(consent)}
                onChange={(event) => {
                  const next = new Set(consents);
                  if (event.target.checked) next.add(consent);
                  else next.delete(consent);
                  setConsents(next);
                }}
              />
              <span>{t(`consent.${consent}`)}</span>
            </label>
          ))}
          <div className="flex flex-wrap items-end gap-3">
            <Field label={t('confirm.type', { phrase: plan.phrase })} className="w-full sm:w-72">
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <Button type="submit" variant={expire ? 'primary' : 'danger'} busy={start.isPending} disabled={!ready}>
              {t(expire ? 'confirm.buttonExpire' : 'confirm.button', {
                count: plan.totals.keys,
                name: plan.instanceName,
              })}
            </Button>
          </div>
          <ErrorAlert error={start.error} />
        </form>
      </CardBody>
    </Card>
  );
}
