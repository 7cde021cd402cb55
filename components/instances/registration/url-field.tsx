import { type FocusEvent, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import type { FormValues } from './form-values';
import { fillFromUrl } from './take-typed-addresses';
import { useFieldError } from './use-field-error';

/** A field for an address or a Redis URL, which fills the form when it is pasted, on Enter, and when it is left. */
export function UrlField() {
  const t = useTranslations('instances.form');
  const form = useFormContext<FormValues>();
  const error = useFieldError();
  const [isFilled, setFilled] = useState(false);
  const take = (text: string): boolean => {
    if (text.trim() === '') return false;
    const filled = fillFromUrl(form, text);
    setFilled(filled);
    return filled;
  };
  return (
    <Field
      label={t('url')}
      hint={isFilled ? <span className="text-success">{t('urlFilled')}</span> : t('urlHint')}
      error={error('url', 'url')}
      className="rounded-lg border border-dashed bg-background p-3"
    >
      <Input
        {...form.register('url', {
          onChange: () => {
            form.clearErrors('url');
            setFilled(false);
          },
          // A button that tests or saves takes the text itself. The form must not move below the pointer before.
          onBlur: (event: FocusEvent) => {
            if (!(event.relatedTarget instanceof HTMLButtonElement)) take(form.getValues('url'));
          },
        })}
        placeholder={t('urlPlaceholder')}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        className="font-mono"
        onPaste={(event) => {
          if (form.getValues('url') === '' && take(event.clipboardData.getData('text'))) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take(form.getValues('url'));
        }}
      />
    </Field>
  );
}
