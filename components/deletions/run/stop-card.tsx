import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { usePersonName } from '@/components/data/format/use-person-name';
import { May } from '@/components/data/may';
import { useEmergencyStop, useEmergencyStopState } from '@/components/data/queries/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { EmergencyStopButtons } from '@/components/layout/menus/emergency-stop-buttons';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';

/** The emergency stop of this instance, and what it stops. */
export function StopCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions.stop');
  const { data } = useEmergencyStopState();
  return (
    <Card>
      <CardHeader title={t('title')} />
      <CardBody className="space-y-3">
        <p className="text-muted-foreground [overflow-wrap:anywhere]">
          {t('text', { file: data?.flagFile ?? 'PANIC' })}
        </p>
        <EmergencyStopButtons instanceId={instanceId} className="flex-wrap" />
      </CardBody>
    </Card>
  );
}

/** Says that an emergency stop is set, by whom and since when. Renders nothing if none concerns the instance. */
export function StoppedAlert({ instanceId }: { instanceId: string }) {
  const t = useTranslations('deletions.stop');
  const f = useFormat();
  const { data } = useEmergencyStopState();
  const personName = usePersonName();
  const emergencyStop = useEmergencyStop();
  const errorText = useErrorText();
  const instanceStop = data?.instances.find((stopped) => stopped.instanceId === instanceId);
  if (!data || (!data.everywhere && !instanceStop)) return null;
  const stop = data.everywhere ? data : instanceStop;
  return (
    <Alert
      tone="danger"
      title={t(data.everywhere ? 'stopped' : 'stoppedHere')}
      actions={
        <May permission="stop.clear" instanceId={data.everywhere ? null : instanceId} reason>
          <Button
            size="sm"
            busy={emergencyStop.isPending}
            onClick={() => emergencyStop.mutate(data.everywhere ? { lift: true } : { instanceId, lift: true })}
          >
            {t('clear')}
          </Button>
        </May>
      }
    >
      {t('since', { time: f.dateTime(stop?.since), by: stop?.by ? personName(stop.by) : '—' })}
      {emergencyStop.error ? <p className="text-danger">{errorText(emergencyStop.error).title}</p> : null}
    </Alert>
  );
}
