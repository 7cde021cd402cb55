import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import type { FormValues, SecretName } from './form-values';
import { useFieldError } from './use-field-error';

/** A write-only field: a stored secret is never shown, only kept, replaced or deleted. */
export function SecretField(props: { name: SecretName; label: string; stored: boolean; multiline?: boolean }) {
  const t = useTranslations('instances.form');
  const { register, setValue } = useFormContext<FormValues>();
  const error = useFieldError();
  const isForgotten = useWatch<FormValues>({ name: `forget.${props.name}` }) === true;
  const placeholder = props.stored && !isForgotten ? t('stored') : undefined;
  const toggle = (
    <Button variant="link" className="text-xs" onClick={() => setValue(`forget.${props.name}`, !isForgotten)}>
      {t(isForgotten ? 'keep' : 'forget')}
    </Button>
  );
  return (
    <Field
      label={props.label}
      optional={props.stored ? toggle : undefined}
      hint={isForgotten ? <span className="text-warning">{t('willForget')}</span> : undefined}
      error={error(`secrets.${props.name}`)}
    >
      {props.multiline ? (
        <Textarea
          {...register(`secrets.${props.name}`)}
          placeholder={placeholder ?? '-----BEGIN PRIVATE KEY-----'}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-xs"
          disabled={isForgotten}
        />
      ) : (
        <Input
          {...register(`secrets.${props.name}`)}
          type="password"
          autoComplete="new-password"
          placeholder={placeholder}
          disabled={isForgotten}
        />
      )}
    </Field>
  );
}
