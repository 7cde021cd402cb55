import { useTranslations } from 'use-intl';

/**
 * The default profile belongs to Colonnade and has a name in every language; the others have the name that their
 * standard or team gives them.
 */
export function useProfileName(): (id: string, name: string) => string {
  const t = useTranslations('profiles.default');
  return (id, name) => (id === 'default' ? t('name') : name);
}
