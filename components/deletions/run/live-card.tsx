import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useEmergencyStop, type WatchedDeletion } from '@/components/data/queries/use-deletions';
import { useErrorToast } from '@/components/data/use-error-text';
import { JobControls } from '@/components/scans/job-controls';
import { JobFailure } from '@/components/scans/job-failure';
import { JobProgress } from '@/components/scans/job-progress';
import { useNewestJob } from '@/components/scans/use-newest-job';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import type { Progress } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';
import { RateChart } from './rate-chart';

/** Message keys of the question before an emergency stop, by what the job does. */
const STOP = {
  delete: { title: 'stopTitle', keep: 'keep' },
  restore: { title: 'stopTitleRestore', keep: 'keepRestoring' },
  expire: { title: 'stopTitleExpire', keep: 'keepExpiring' },
} as const;

/** The share that is done, 0 to 1, rounded down to tenths; null: the total is unknown. */
const roundProgress = ({ done, total }: Progress) => (total ? Math.floor((10 * done) / total) / 10 : null);

/** The running job: progress, speed, probe latency and why it waits, with controls to slow, pause or stop it. */
export function LiveCard({ deletion }: { deletion: WatchedDeletion }) {
  const t = useTranslations('deletions.live');
  const phases = useTranslations('jobs.phase');
  const f = useFormat();
  const emergencyStop = useEmergencyStop();
  const onError = useErrorToast();
  const mayStop = useMay('stop.set', deletion.plan.instanceId);
  const [confirming, setConfirming] = useState(false);
  const job = useNewestJob(deletion.job);
  if (!job) return null;
  const act = deletion.action === 'undo' ? 'restore' : deletion.plan.task;
  return (
    <>
      {job.state === 'failed' ? <JobFailure job={job} /> : null}
      <Card>
        <CardHeader
          title={t('title')}
          actions={
            <>
              <JobControls job={job} act={act === 'restore' ? 'restore' : 'delete'} />
              {isActive(job) && mayStop ? (
                <Button size="sm" variant="dangerGhost" onClick={() => setConfirming(true)}>
                  <OctagonX aria-hidden />
                  {t('stop')}
                </Button>
              ) : null}
            </>
          }
        />
        <CardBody className="space-y-5">
          {/* Announced in steps of a tenth only, so that a screen reader does not speak every second. */}
          <p role="status" className="sr-only">
            {job.progress
              ? t('announced', { phase: phases(job.progress.phase), share: f.share(roundProgress(job.progress)) })
              : null}
          </p>
          <JobProgress job={job} nodes={false} />
          <div data-live={isActive(job) || undefined}>
            <RateChart
              points={deletion.points}
              of={job.progress?.unit === 'keys' ? 'keys' : deletion.action === 'undo' ? 'restored' : 'deleted'}
            />
          </div>
        </CardBody>
      </Card>
      {confirming ? (
        <ConfirmDialog
          title={t(STOP[act].title)}
          text={t('stopText')}
          confirm={t('stop')}
          cancel={t(STOP[act].keep)}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            emergencyStop.mutate({ deletionId: deletion.plan.id }, { onError });
          }}
        />
      ) : null}
    </>
  );
}
