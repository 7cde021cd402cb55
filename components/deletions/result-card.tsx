'use client';
import { Download, Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { WatchedDeletion } from '@/components/data/use-deletions';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Stat } from '@/components/ui/stat';

/** What was done, and the way back while there is one. */
export function ResultCard({ deletion, onUndo }: { deletion: WatchedDeletion; onUndo: () => void }) {
  const t = useTranslations('deletions.result');
  const f = useFormat();
  const { job, archiveBytes, undoable, undoUntil, plan } = deletion;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={
          undoable === 0 ? t('none') : undoUntil !== null ? t('undoUntil', { time: f.dateTime(undoUntil) }) : undefined
        }
        actions={
          <>
            {archiveBytes > 0 && undoable > 0 ? (
              <Button asChild size="sm">
                <a href={`/api/deletions/${encodeURIComponent(plan.id)}/archive`} download>
                  <Download aria-hidden />
                  {t('download')}
                </a>
              </Button>
            ) : null}
            <Button size="sm" disabled={undoable === 0} onClick={onUndo}>
              <Undo2 aria-hidden />
              {t('undo')}
            </Button>
          </>
        }
      />
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-b-lg bg-border md:grid-cols-4">
        <Stat label={t('removed')} value={f.number(deletion.removedElements)} />
        <Stat label={t('archive')} value={f.bytes(archiveBytes)} />
        <Stat label={t('commands')} value={<Value value={job?.cost?.commands ?? null} as="number" />} />
        <Stat label={t('worst')} value={<Value value={job?.cost?.worstLatencyMs ?? null} as="ms" />} />
      </div>
    </Card>
  );
}
