import { Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { May } from '@/components/data/may';
import type { WatchedDeletion } from '@/components/data/queries/use-deletions';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Stat } from '@/components/ui/stat';
import type { Cost } from '@/lib/model/job';
import { DownloadArchive } from './download-archive';

/** Shows what was done, and the undo button as long as it can be undone. */
export function ResultCard({ deletion, onUndo }: { deletion: WatchedDeletion; onUndo: () => void }) {
  const t = useTranslations('deletions.result');
  const f = useFormat();
  const { job, archiveBytes, undoable, undoUntil, plan, startedAt, endedAt, counts } = deletion;
  const expire = plan.task === 'expire';
  const quarantined = counts.quarantined ?? 0;
  const hasArchive = archiveBytes > 0 || plan.totals.byMode.some(({ mode }) => mode === 'archive');
  // No element of a key in quarantine is deleted or copied yet.
  const renamed = quarantined > 0 && !hasArchive;
  const formatCostHint = ({ serverMs, busyMs }: Cost) =>
    serverMs === null ? t('busy', { time: f.ms(busyMs) }) : t('serverTime', { time: f.ms(serverMs) });
  const seconds = startedAt !== null && endedAt !== null ? (endedAt - startedAt) / 1000 : null;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={
          counts.undone === plan.totals.keys
            ? t('allRestored')
            : undoable === 0
              ? t('none')
              : undoUntil !== null
                ? t('undoUntil', { time: f.dateTime(undoUntil) })
                : undefined
        }
        actions={
          <>
            {archiveBytes > 0 && undoable > 0 ? (
              <DownloadArchive deletionId={plan.id} instanceId={plan.instanceId} />
            ) : null}
            <May permission="deletion.run" instanceId={plan.instanceId} reason>
              <Button size="sm" disabled={undoable === 0} onClick={onUndo}>
                <Undo2 aria-hidden />
                {t('undo')}
              </Button>
            </May>
          </>
        }
      />
      {(counts.needs_review ?? 0) > 0 ? (
        <div className="p-4 pb-3">
          <Alert tone="danger" title={t('review', { count: counts.needs_review ?? 0 })}>
            {t('reviewText')}
          </Alert>
        </div>
      ) : null}
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-b-lg bg-border md:grid-cols-4">
        {expire ? (
          <Stat label={t('keys')} value={f.number(counts.done ?? 0)} />
        ) : (
          <>
            <Stat
              label={t(quarantined > 0 ? 'quarantined' : 'deleted')}
              value={f.number(quarantined > 0 ? quarantined : (counts.done ?? 0))}
            />
            {hasArchive ? (
              <Stat
                label={t('archive')}
                value={f.bytes(archiveBytes)}
                hint={t('elements', { count: deletion.removedElements })}
              />
            ) : renamed ? null : (
              <Stat label={t('removed')} value={f.number(deletion.removedElements)} />
            )}
          </>
        )}
        <Stat
          label={t('commands')}
          value={<Value value={job?.cost?.commands ?? null} as="number" />}
          hint={job?.cost ? formatCostHint(job.cost) : undefined}
        />
        <Stat
          label={t('worst')}
          value={<Value value={job?.cost?.worstLatencyMs ?? null} as="ms" />}
          hint={seconds !== null ? t('took', { time: f.seconds(seconds) }) : undefined}
        />
        {renamed || expire ? (
          <Stat label={t('sent')} value={<Value value={job?.cost?.bytesSent ?? null} as="bytes" />} />
        ) : null}
      </div>
    </Card>
  );
}
