'use client';
import { type FieldErrors, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { FormValues } from './form-values';

type Check = 'name' | 'host' | 'port' | 'endpoints' | 'databases' | 'tags' | 'tooLong' | 'required';

/** Whether anything below `path` is wrong, as the sentence `check`. */
export function useFieldError() {
  const t = useTranslations('instances.check');
  const { errors } = useFormContext<FormValues>().formState;
  return (path: string, check: Check = 'tooLong'): string | undefined => {
    let at: unknown = errors as FieldErrors;
    for (const step of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
    return at ? t(check) : undefined;
  };
}
