import { type FieldErrors, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { parseUnseenCharacter } from '@/lib/model/text/refuse-unseen';
import type { FormValues } from './form-values';

type Check =
  | 'destinations'
  | 'addressMap'
  | 'url'
  | 'unixSocket'
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
 * Returns the function that gives the message for the first error at or below `path`: the sentence `check`, or what the
 * server said; undefined: there is none.
 */
export function useFieldError() {
  const t = useTranslations('instances.check');
  const { errors } = useFormContext<FormValues>().formState;
  return (path: string, check: Check = 'tooLong'): string | undefined => {
    let found: unknown = errors as FieldErrors;
    for (const step of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[step];
    if (!found) return undefined;
    const { type, message } = (Array.isArray(found) ? found.find(Boolean) : found) as {
      type?: unknown;
      message?: unknown;
    };
    const unseen = parseUnseenCharacter(message);
    if (unseen !== null) return t('unseen', { character: unseen });
    return t(type === FROM_SERVER && typeof message === 'string' ? (message as Check) : check);
  };
}
