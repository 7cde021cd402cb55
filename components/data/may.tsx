import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PERMISSIONS, type Permission } from '@/lib/model/access';
import { useMay, useSession } from './queries/accounts/use-session';

/** Renders the children only if the person has the permission. `reason`: others see which role is needed instead. */
export function May(props: {
  permission: Permission;
  instanceId?: string | null;
  reason?: boolean;
  children: ReactNode;
}) {
  const t = useTranslations('account');
  const may = useMay(props.permission, props.instanceId ?? null);
  const known = useSession().data !== undefined;
  if (may) return props.children;
  if (!props.reason || !known) return null;
  return (
    <span className="inline-flex items-center gap-1.5 text-muted-foreground text-xs">
      <Lock className="size-3 shrink-0" aria-hidden />
      {t('needsRole', { role: t(`role.${PERMISSIONS[props.permission]}`) })}
    </span>
  );
}
