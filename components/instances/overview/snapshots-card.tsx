'use client';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { isReadable } from '@/components/data/choose-snapshot';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { CurrentSnapshot } from '@/components/data/use-current-snapshot';
import { useErrorText } from '@/components/data/use-error-text';
import { useRemoveSnapshot } from '@/components/data/use-snapshots';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { SnapshotSummary } from '@/lib/model/fleet';

const TONES: Record<SnapshotSummary['state'], BadgeTone> = {
  live: 'accent',
  sealed: 'neutral',
  cancelled: 'neutral',
  failed: 'danger',
};

export function SnapshotsCard({ instanceId, current }: { instanceId: string; current: CurrentSnapshot }) {
  const t = useTranslations('overview.snapshots');
  const ui = useTranslations('ui');
  const f = useFormat();
  const errorText = useErrorText();
  const remove = useRemoveSnapshot(instanceId);
  const [asked, setAsked] = useState<SnapshotSummary | null>(null);
  if (current.snapshots.length === 0) return null;
  return (
    <Card>
      <CardHeader title={t('title')} />
      <TableScroll label={t('tableLabel')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('started')}</Th>
              <Th>{t('stateColumn')}</Th>
              <Th right className="max-md:hidden">
                {t('took')}
              </Th>
              <Th right>{t('keys')}</Th>
              <Th right className="max-sm:hidden">
                {t('memory')}
              </Th>
              <Th right className="max-md:hidden">
                {t('bigkeys')}
              </Th>
              <Th right className="max-md:hidden">
                {t('file')}
              </Th>
              <Th right>
                <span className="sr-only">{t('actions')}</span>
              </Th>
            </tr>
          </THead>
          <TBody>
            {current.snapshots.map((s) => (
              <Tr key={s.id}>
                <Td className="num">
                  {isReadable(s) ? (
                    <button
                      type="button"
                      onClick={() => current.select(s.id)}
                      className="rounded hover:text-accent hover:underline"
                    >
                      {f.dateTime(s.startedAt)}
                    </button>
                  ) : (
                    <span className="text-muted-foreground">{f.dateTime(s.startedAt)}</span>
                  )}
                </Td>
                <Td>
                  <span className="flex gap-1">
                    <Badge tone={TONES[s.state]}>{t(`state.${s.state}`)}</Badge>
                    {s.id === current.snapshotId ? <Badge tone="outline">{t('shown')}</Badge> : null}
                  </span>
                </Td>
                <Td num className="max-md:hidden">
                  <Value value={s.endedAt === null ? null : s.endedAt - s.startedAt} as="ms" />
                </Td>
                <Td num>
                  <Value value={s.keys} as="number" />
                </Td>
                <Td num className="max-sm:hidden">
                  <Value value={s.bytes} as="bytes" />
                </Td>
                <Td num className="max-md:hidden">
                  <Value value={s.bigkeys} as="number" />
                </Td>
                <Td num className="max-md:hidden">
                  <Value value={s.fileBytes} as="bytes" />
                </Td>
                <Td className="w-px text-right">
                  {s.state === 'live' ? null : (
                    <Button
                      variant="ghost"
                      size="iconXs"
                      aria-label={t('remove', { time: f.dateTime(s.startedAt) })}
                      onClick={() => setAsked(s)}
                    >
                      <Trash2 aria-hidden />
                    </Button>
                  )}
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
      <Dialog open={asked !== null} onOpenChange={(open) => !open && setAsked(null)}>
        {asked ? (
          <DialogContent
            title={t('removeTitle')}
            description={t('removeText', { time: f.dateTime(asked.startedAt) })}
            footer={
              <>
                <DialogClose asChild>
                  <Button>{ui('cancel')}</Button>
                </DialogClose>
                <Button
                  variant="danger"
                  busy={remove.isPending}
                  onClick={() =>
                    remove.mutate(asked.id, {
                      onSuccess: () => {
                        if (asked.id === current.snapshotId) current.select(null);
                        setAsked(null);
                        toast.success(t('removed'));
                      },
                      onError: (error) => void toast.error(errorText(error).title),
                    })
                  }
                >
                  {t('removeYes')}
                </Button>
              </>
            }
          />
        ) : null}
      </Dialog>
    </Card>
  );
}
