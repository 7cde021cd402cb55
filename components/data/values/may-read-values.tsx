import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useInstance } from '@/components/data/queries/use-instances';
import { marksOf } from '@/lib/model/servers/protection-marks';

/** What shows bytes of values, for those who may see them; to the others why not. */
export function MayReadValues({ instanceId, children }: { instanceId: string; children: ReactNode }) {
  const t = useTranslations('keys.values');
  const { data: instance } = useInstance(instanceId);
  if (instance && marksOf(instance).valuesForbidden)
    return (
      <span className="inline-flex items-center gap-1.5 text-muted-foreground text-xs">
        <Lock className="size-3 shrink-0" aria-hidden />
        {t('forbidden')}
      </span>
    );
  return (
    <May permission="value.read" instanceId={instanceId} reason>
      {children}
    </May>
  );
}

/** Until it is known: with a reason. */
export function useAsksReason(instanceId: string): boolean {
  const { data: instance } = useInstance(instanceId);
  return instance === undefined || marksOf(instance).production;
}
