import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { toVisibleText } from '@/components/ui/visible-text';
import { ENGINE_NAME, LOCAL_ADMIN_NAME } from '@/lib/model/text/local-names';

/** Ids of those who act without an account → the message of `ui` that names them. */
const NOT_ACCOUNTS: Record<string, 'localAdmin' | 'engine'> = { local: 'localAdmin', engine: 'engine' };
/** Their names in stored records → their ids. */
const BY_NAME: Record<string, string> = { [LOCAL_ADMIN_NAME]: 'local', [ENGINE_NAME]: 'engine' };

/**
 * Returns a function that gives the name of a person, or a translated word if it was not an account. `id` distinguishes
 * an account that has the same name.
 */
export function usePersonName(): (name: string, id?: string) => string {
  const t = useTranslations('ui');
  return useCallback(
    (name, id = BY_NAME[name]) => {
      const word = id === undefined || !(name in BY_NAME) ? undefined : NOT_ACCOUNTS[id];
      return word ? t(word) : toVisibleText(name);
    },
    [t],
  );
}
