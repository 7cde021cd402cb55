import { OctagonX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { May } from '@/components/data/may';
import { useEmergencyStop, useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

/** The buttons of the emergency stop: of all writes, and of those to one instance (null: the page belongs to none). */
export function EmergencyStopButtons({ instanceId, className }: { instanceId: string | null; className?: string }) {
  const t = useTranslations('deletions.stop');
  const { data } = useEmergencyStopState();
  const emergencyStop = useEmergencyStop();
  const isStoppedHere = data?.instances.some((stopped) => stopped.instanceId === instanceId) ?? false;
  return (
    <div className={cn('flex gap-2', className)}>
      <May permission="stop.set" reason={instanceId === null}>
        <Button
          size="sm"
          className="text-danger"
          disabled={data?.everywhere ?? false}
          busy={emergencyStop.isPending}
          onClick={() => emergencyStop.mutate({})}
        >
          <OctagonX aria-hidden />
          {t('everywhere')}
        </Button>
      </May>
      {instanceId === null ? null : (
        <May permission="stop.set" instanceId={instanceId} reason>
          <Button
            size="sm"
            className="text-danger"
            disabled={isStoppedHere}
            busy={emergencyStop.isPending}
            onClick={() => emergencyStop.mutate({ instanceId })}
          >
            <OctagonX aria-hidden />
            {t('here')}
          </Button>
        </May>
      )}
      <ErrorAlert error={emergencyStop.error} hint={t('failed', { file: data?.flagFile ?? 'PANIC' })} />
    </div>
  );
}
