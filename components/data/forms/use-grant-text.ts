import { useTranslations } from 'use-intl';
import { useInstances } from '@/components/data/queries/use-instances';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Grant } from '@/lib/model/access';

/** A grant as one line: where it applies (instances by name), and the role. */
export function useGrantText(): (grant: Grant) => string {
  const t = useTranslations('users.grant.of');
  const roles = useTranslations('account.role');
  const { data: instances = [] } = useInstances();
  return ({ kind, value, role }) => {
    const name = kind === 'instance' ? instances.find(({ id }) => id === value)?.name : undefined;
    return t(kind, { value: toVisibleText(name ?? value), role: roles(role) });
  };
}
