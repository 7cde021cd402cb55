import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useStartScans } from '@/components/data/queries/use-jobs';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import { ProgressBar } from '@/components/ui/progress';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Speed } from '@/lib/model/job';
import type { Instance } from '@/lib/model/servers/instance';

const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];

/** Queues a scan of each instance. `omitted`: how many instances of the table are not among them. */
export function ScanAllDialog(props: { instances: Instance[]; omitted: number; onClose: () => void }) {
  const { instances, omitted, onClose } = props;
  const t = useTranslations('fleet.scanAll');
  const scans = useTranslations('scans');
  const ui = useTranslations('ui');
  const errorText = useErrorText();
  const [speed, setSpeed] = useState<Speed>('gentle');
  const { start, done, failed, isRunning } = useStartScans();
  async function startAll() {
    const failures = await start(instances, speed);
    toast.success(t('started', { count: instances.length - failures }));
    if (failures === 0) onClose();
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('title', { count: instances.length })}
        description={t('text')}
        className="max-w-xl"
        footer={
          <>
            <Button onClick={onClose}>{failed.length > 0 ? ui('close') : ui('cancel')}</Button>
            {failed.length > 0 ? null : (
              <Button
                variant="primary"
                busy={isRunning}
                disabled={instances.length === 0}
                onClick={() => void startAll()}
              >
                {t('start')}
              </Button>
            )}
          </>
        }
      >
        <div className="space-y-4">
          <ChoiceCards
            label={scans('dialog.speed')}
            value={speed}
            onValueChange={setSpeed}
            options={SPEEDS.map((value) => ({
              value,
              title: scans(`speed.${value}.name`),
              note: scans(`speed.${value}.numbers`),
              text: scans(`speed.${value}.text`),
            }))}
          />
          {omitted > 0 ? <p className="text-muted-foreground text-sm">{t('omitted', { count: omitted })}</p> : null}
          {isRunning ? <ProgressBar value={done / Math.max(1, instances.length)} label={t('progress')} /> : null}
          {failed.length > 0 ? (
            <Alert tone="danger" title={t('failed', { count: failed.length })}>
              <ul className="max-h-40 overflow-y-auto">
                {failed.map(({ instance, error }) => (
                  <li key={instance.id}>
                    <bdi>{toVisibleText(instance.name)}</bdi>: {errorText(error).title}
                  </li>
                ))}
              </ul>
            </Alert>
          ) : null}
        </div>
      </DialogContent>
    </Dialog>
  );
}
