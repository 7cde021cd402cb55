import { Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import { DisabledReason } from '@/components/ui/button';
import { PERMISSIONS, type Permission } from '@/lib/model/access';
import { useMay, useSession } from './queries/accounts/use-session';

/**
 * Renders the children only if the person has the permission. `reason`: to others, the buttons are shown disabled, with
 * the role that is needed. `instead`: others see only which role is needed, for forms and contents.
 */
export function May(props: {
  permission: Permission;
  instanceId?: string | null;
  reason?: boolean;
  instead?: boolean;
  children: ReactNode;
}) {
  const t = useTranslations('account');
  const id = useId();
  const may = useMay(props.permission, props.instanceId ?? null);
  const known = useSession().data !== undefined;
  if (may) return props.children;
  if ((!props.reason && !props.instead) || !known) return null;
  const reason = (
    <span id={id} className="inline-flex items-center gap-1.5 text-muted-foreground text-xs">
      <Lock className="size-3 shrink-0" aria-hidden />
      {t('needsRole', { role: t(`role.${PERMISSIONS[props.permission]}`) })}
    </span>
  );
  if (props.instead) return reason;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <DisabledReason value={id}>{props.children}</DisabledReason>
      {reason}
    </span>
  );
}
