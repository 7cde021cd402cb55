import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useEmergencyStop, type WatchedDeletion } from '@/components/data/queries/use-deletions';
import { useJobButtons } from '@/components/scans/job-controls';
import { JobFailure } from '@/components/scans/job-failure';
import { JobProgress } from '@/components/scans/job-progress';
import { useNewestJob } from '@/components/scans/use-newest-job';
import { WaysToStop } from '@/components/scans/ways-to-stop';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { Job, Progress } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';
import { RateChart } from './rate-chart';
import { StopNowDialog } from './stop-now-dialog';

/** The share that is done, 0 to 1, rounded down to tenths; null: the total is unknown. */
const roundProgress = ({ done, total }: Progress) => (total ? Math.floor((10 * done) / total) / 10 : null);

/**
 * The running job: progress, speed, probe latency and why it waits, with the ways to stop it. `onUndo`: opens the dialog
 * of the undo; null: nothing can be undone, or the person may not.
 */
export function LiveCard({ deletion, onUndo }: { deletion: WatchedDeletion; onUndo: (() => void) | null }) {
  const job = useNewestJob(deletion.job);
  return job ? <LiveJob deletion={deletion} job={job} onUndo={onUndo} /> : null;
}

function LiveJob(props: { deletion: WatchedDeletion; job: Job; onUndo: (() => void) | null }) {
  const { deletion, job, onUndo } = props;
  const t = useTranslations('deletions.live');
  const phases = useTranslations('jobs.phase');
  const f = useFormat();
  const emergencyStop = useEmergencyStop();
  const buttons = useJobButtons(job);
  const mayStop = useMay('stop.set', deletion.plan.instanceId);
  const [asking, setAsking] = useState(false);
  const stopNow = () => {
    setAsking(true);
    emergencyStop.mutate({ deletionId: deletion.plan.id });
  };
  return (
    <>
      {job.state === 'failed' ? <JobFailure job={job} /> : null}
      <Card>
        <CardHeader title={t('title')} actions={buttons.speed} />
        <CardBody className="space-y-5">
          {/* Announced in steps of a tenth only, so that a screen reader does not speak every second. */}
          <p role="status" className="sr-only">
            {job.progress
              ? t('announced', { phase: phases(job.progress.phase), share: f.share(roundProgress(job.progress)) })
              : null}
          </p>
          <JobProgress job={job} nodes={false} />
          <WaysToStop
            job={job}
            buttons={buttons}
            stopNow={
              isActive(job) && mayStop ? (
                <Button size="sm" className="text-danger" onClick={stopNow}>
                  <OctagonX aria-hidden />
                  {t('stop')}
                </Button>
              ) : null
            }
          />
          <div data-live={isActive(job) || undefined}>
            <RateChart
              points={deletion.points}
              of={job.progress?.unit === 'keys' ? 'keys' : deletion.action === 'undo' ? 'restored' : 'deleted'}
            />
          </div>
        </CardBody>
      </Card>
      {asking ? (
        <StopNowDialog
          job={job}
          error={emergencyStop.error}
          onUndo={
            onUndo === null
              ? null
              : () => {
                  setAsking(false);
                  onUndo();
                }
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
