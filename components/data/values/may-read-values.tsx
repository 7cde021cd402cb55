import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { getProtectionMarks } from '@/lib/model/servers/protection-marks';

/** Renders the children, which show bytes of values, for people who may read them; others see the reason why not. */
export function MayReadValues({ instanceId, children }: { instanceId: string; children: ReactNode }) {
  const t = useTranslations('keys.values');
  const { data: instance } = useInstance(instanceId);
  if (instance && getProtectionMarks(instance).valuesForbidden)
    return (
      <span className="inline-flex items-center gap-1.5 text-muted-foreground text-xs">
        <Lock className="size-3 shrink-0" aria-hidden />
        {t('forbidden')}
      </span>
    );
  return (
    <May permission="value.read" instanceId={instanceId} instead>
      {children}
    </May>
  );
}

/** Whether reading values needs a reason. true until the instance is known. */
export function useAsksReason(instanceId: string): boolean {
  const { data: instance } = useInstance(instanceId);
  return instance === undefined || getProtectionMarks(instance).production;
}
