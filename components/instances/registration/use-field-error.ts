import { type FieldErrors, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { parseUnseenCharacter } from '@/lib/model/text/refuse-unseen';
import type { FormValues } from './form-values';

type Check =
  | 'destinations'
  | 'writeRefused'
  | 'name'
  | 'host'
  | 'port'
  | 'endpoints'
  | 'databases'
  | 'tags'
  | 'tooLong'
  | 'required';
/** `type` of an error that the server found; its message is a key below `instances.check`. */
export const FROM_SERVER = 'server';

/**
 * Returns the message for the first error at or below `path`: the sentence `check`, or what the server said; undefined
 * if there is none.
 */
export function useFieldError() {
  const t = useTranslations('instances.check');
  const { errors } = useFormContext<FormValues>().formState;
  return (path: string, check: Check = 'tooLong'): string | undefined => {
    let at: unknown = errors as FieldErrors;
    for (const step of path.split('.')) at = (at as Record<string, unknown> | undefined)?.[step];
    if (!at) return undefined;
    const { type, message } = (Array.isArray(at) ? at.find(Boolean) : at) as { type?: unknown; message?: unknown };
    const unseen = parseUnseenCharacter(message);
    if (unseen !== null) return t('unseen', { character: unseen });
    return t(type === FROM_SERVER && typeof message === 'string' ? (message as Check) : check);
  };
}
