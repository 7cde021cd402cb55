import { useTranslations } from 'use-intl';

/**
 * The default profile is ours and has a name in every language; the others are called as their standard or team calls
 * them.
 */
export function useProfileName(): (id: string, name: string) => string {
  const t = useTranslations('profiles.default');
  return (id, name) => (id === 'default' ? t('name') : name);
}
