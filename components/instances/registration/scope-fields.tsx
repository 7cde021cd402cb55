import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { FormValues } from './form-values';
import { ToggleRow } from './toggle-row';
import { useFieldError } from './use-field-error';

export function ScopeFields() {
  const t = useTranslations('instances.form');
  const ui = useTranslations('ui');
  const { register, control } = useFormContext<FormValues>();
  const error = useFieldError();
  const topology = useWatch<FormValues, 'topology'>({ name: 'topology' });
  const cluster = topology === 'cluster';
  return (
    <Card>
      <CardHeader title={t('scope')} />
      <CardBody className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('name')} error={error('name', 'name')}>
            <Input {...register('name')} maxLength={80} />
          </Field>
          <div className="space-y-1">
            <Field label={t('environment')} optional={ui('optional')} error={error('environment')}>
              <Input {...register('environment')} placeholder={t('environmentPlaceholder')} maxLength={40} />
            </Field>
            <ProductionProposal />
          </div>
          <Field label={t('owner')} optional={ui('optional')} error={error('owner')}>
            <Input {...register('owner')} placeholder={t('ownerPlaceholder')} maxLength={80} />
          </Field>
          <Field label={t('tags')} hint={t('tagsHint')} optional={ui('optional')} error={error('tags', 'tags')}>
            <Input {...register('tags')} />
          </Field>
          <Field
            label={t('databases')}
            hint={cluster ? t('databasesCluster') : t('databasesHint')}
            optional={ui('optional')}
            error={error('databases', 'databases')}
          >
            <Input {...register('databases')} inputMode="numeric" className="font-mono" />
          </Field>
          <Field label={t('protocol')}>
            <ProtocolSelect control={control} auto={t('protocolAuto')} two={t('protocol2')} />
          </Field>
        </div>
        <div className="grid gap-3 border-t pt-4 sm:grid-cols-2">
          <ToggleRow name="readOnly" label={t('readOnly')} hint={t('readOnlyHint')} />
          <ToggleRow name="production" label={t('production')} hint={t('productionHint')} />
          <ToggleRow name="secondPerson" label={t('secondPerson')} hint={t('secondPersonHint')} />
          <ToggleRow name="valuesForbidden" label={t('valuesForbidden')} hint={t('valuesForbiddenHint')} />
        </div>
      </CardBody>
    </Card>
  );
}

/** Names that teams give to their production environment: prod, prod-eu, production, PRD, live, 生产. */
const PRODUCTION = /^(?:prod|production|prd|live)(?:[^a-z]|$)|生产|线上|正式/i;

/** Proposes the mark *Production* where the environment sounds like it, because the text alone protects nothing. */
function ProductionProposal() {
  const t = useTranslations('instances.form');
  const { setValue } = useFormContext<FormValues>();
  const [environment, production] = useWatch<FormValues, ['environment', 'production']>({
    name: ['environment', 'production'],
  });
  const isProposed = !production && PRODUCTION.test(environment.trim());
  return (
    <p role="status" className="text-warning text-xs">
      {isProposed ? (
        <>
          {t('environmentProduction')}{' '}
          <Button
            variant="link"
            className="text-xs"
            onClick={() => setValue('production', true, { shouldDirty: true })}
          >
            {t('markProduction')}
          </Button>
        </>
      ) : null}
    </p>
  );
}

/** A select in the form. `Field` gives its child an id and a description, which belong on the trigger. */
function ProtocolSelect(props: {
  control: ReturnType<typeof useFormContext<FormValues>>['control'];
  auto: string;
  two: string;
  id?: string;
  'aria-describedby'?: string;
}) {
  return (
    <Controller
      control={props.control}
      name="protocol"
      render={({ field }) => (
        <Select
          id={props.id}
          aria-describedby={props['aria-describedby']}
          value={field.value}
          onValueChange={field.onChange}
          options={[
            { value: 'auto', label: props.auto },
            { value: '2', label: props.two },
          ]}
        />
      )}
    />
  );
}
