import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { May } from '@/components/data/may';
import { useEmergencyStop, useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { EmergencyStopButtons } from '@/components/layout/menus/emergency-stop-buttons';
import { Button } from '@/components/ui/button';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/overlays/popover';

/**
 * Stops all writes with two key presses. `needed`: anything writes, or a stop is set; otherwise the menu is shown only
 * while it is open.
 */
export function EmergencyStopMenu({ instanceId, needed }: { instanceId: string | null; needed: boolean }) {
  const t = useTranslations('deletions.stop');
  const { data: state } = useEmergencyStopState();
  const clear = useEmergencyStop();
  const everywhere = state?.everywhere ?? false;
  // The event that jobs were stopped arrives before the stop itself, so an open menu stays meanwhile.
  const [open, setOpen] = useState(false);
  if (!open && !needed) return null;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="dangerGhost" size="sm" aria-label={t('title')} title={t('title')}>
          <OctagonX aria-hidden />
          <span className="max-md:hidden">{t('title')}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-80 space-y-3">
        <p className="[overflow-wrap:anywhere]">
          {everywhere ? t('stopped') : t('text', { file: state?.flagFile ?? 'PANIC' })}
        </p>
        <div className="flex flex-col gap-2">
          {everywhere ? (
            <May permission="stop.clear" reason>
              <Button busy={clear.isPending} onClick={() => clear.mutate({ lift: true })}>
                {t('clear')}
              </Button>
            </May>
          ) : (
            <EmergencyStopButtons instanceId={instanceId} className="flex-col" />
          )}
        </div>
        <ErrorAlert error={clear.error} />
      </PopoverContent>
    </Popover>
  );
}
