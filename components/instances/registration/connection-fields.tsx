import { Plus, X } from 'lucide-react';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import type { Topology } from '@/lib/model/servers/instance';
import type { FormValues } from './form-values';
import { takeTypedAddresses } from './take-typed-addresses';
import { ToggleRow } from './toggle-row';
import { useFieldError } from './use-field-error';

const TOPOLOGIES: readonly Topology[] = ['standalone', 'cluster', 'sentinel'];
const HEADINGS = { standalone: 'endpoints', cluster: 'endpointsMany', sentinel: 'endpointsSentinel' } as const;
/** The most addresses that the server accepts. */
const MAX_ENDPOINTS = 32;

/** Topology and addresses. `registered`: the instance exists already, so its announced addresses are on its page. */
export function ConnectionFields({ registered }: { registered: boolean }) {
  const t = useTranslations('instances');
  const form = useFormContext<FormValues>();
  const { control, register } = form;
  const error = useFieldError();
  const topology = useWatch<FormValues, 'topology'>({ name: 'topology' });
  const { fields, append, remove } = useFieldArray<FormValues, 'endpoints'>({ name: 'endpoints' });
  const shown = topology === 'standalone' ? fields.slice(0, 1) : fields;
  return (
    <>
      <Controller
        control={control}
        name="topology"
        render={({ field }) => (
          <ChoiceCards
            label={t('form.topology')}
            value={field.value}
            onValueChange={field.onChange}
            options={TOPOLOGIES.map((value) => ({
              value,
              title: t(`topology.${value}`),
              text: t(`topologyText.${value}`),
            }))}
          />
        )}
      />
      <fieldset className="space-y-2">
        <legend className="mb-1.5 font-medium">{t(`form.${HEADINGS[topology]}`)}</legend>
        {shown.map((endpoint, i) => (
          <div key={endpoint.id} className="flex items-start gap-2">
            <Field
              label={
                <span className={i > 0 ? 'sr-only' : 'font-normal text-muted-foreground text-xs'}>
                  {t('form.host')}
                </span>
              }
              error={error(`endpoints.${i}.host`, 'host')}
              className="min-w-0 flex-1"
            >
              <Input
                {...register(`endpoints.${i}.host`, { onBlur: () => takeTypedAddresses(form) })}
                className="font-mono"
                spellCheck={false}
                autoCapitalize="off"
                placeholder="127.0.0.1"
              />
            </Field>
            <Field
              label={
                <span className={i > 0 ? 'sr-only' : 'font-normal text-muted-foreground text-xs'}>
                  {t('form.port')}
                </span>
              }
              error={error(`endpoints.${i}.port`, 'port')}
              className="w-28"
            >
              <Input {...register(`endpoints.${i}.port`)} className="num font-mono" inputMode="numeric" />
            </Field>
            {topology !== 'standalone' ? (
              <Button
                variant="ghost"
                size="icon"
                className={i > 0 ? 'mt-5' : 'mt-6.5'}
                disabled={fields.length === 1}
                aria-label={t('form.removeEndpoint', { number: i + 1 })}
                onClick={() => remove(i)}
              >
                <X aria-hidden />
              </Button>
            ) : null}
          </div>
        ))}
        {topology !== 'standalone' ? (
          <Button
            size="sm"
            disabled={fields.length >= MAX_ENDPOINTS}
            onClick={() => append({ host: '', port: topology === 'sentinel' ? '26379' : '6379' })}
          >
            <Plus aria-hidden />
            {t('form.addEndpoint')}
          </Button>
        ) : null}
      </fieldset>
      {topology === 'cluster' ? (
        <ToggleRow name="onlyEndpoints" label={t('form.onlyEndpoints')} hint={t('form.onlyEndpointsHint')} />
      ) : null}
      {topology === 'sentinel' ? (
        <Field
          label={t('form.sentinelName')}
          hint={t('form.sentinelNameHint')}
          error={error('sentinelName', 'required')}
        >
          <Input {...register('sentinelName')} className="font-mono" placeholder="mymaster" spellCheck={false} />
        </Field>
      ) : null}
      <Field
        label={t('form.destinations')}
        hint={
          registered ? `${t('form.destinationsHint')} ${t('form.destinationsMoreHint')}` : t('form.destinationsHint')
        }
        error={error('destinations', 'destinations')}
      >
        <Textarea {...register('destinations')} className="min-h-10 font-mono text-xs" rows={2} spellCheck={false} />
      </Field>
      <Field label={t('form.addressMap')} hint={t('form.addressMapHint')} error={error('addressMap', 'addressMap')}>
        <Textarea
          {...register('addressMap')}
          className="min-h-10 font-mono text-xs"
          rows={2}
          spellCheck={false}
          placeholder="10.0.0.5:6379 = 127.0.0.1:7001"
        />
      </Field>
    </>
  );
}
