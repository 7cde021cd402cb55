import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { usePersonName } from '@/components/data/format/use-person-name';
import { NotInFile, Value } from '@/components/data/format/value';
import { May } from '@/components/data/may';
import { useScheduleActs } from '@/components/data/queries/use-schedules';
import { useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Switch } from '@/components/ui/forms/switch';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Schedule } from '@/lib/model/schedules/schedule';
import { toScheduleInput } from './schedule-form';
import { useCronWords } from './use-cron-words';

/** A row has space for this many names of instances. */
const NAMES_SHOWN = 3;

export function ScheduleTable({
  schedules,
  onEdit,
}: {
  schedules: readonly Schedule[];
  onEdit: (schedule: Schedule) => void;
}) {
  const t = useTranslations('schedules');
  const words = useCronWords();
  const personName = usePersonName();
  const showError = useErrorToast();
  const { change, remove } = useScheduleActs();
  const [removing, setRemoving] = useState<Schedule | null>(null);
  const columns: DataColumn<Schedule>[] = [
    {
      id: 'name',
      header: t('column.name'),
      value: ({ name }) => name,
      className: 'min-w-20 font-medium [overflow-wrap:anywhere]',
      cell: ({ name }) => <bdi>{toVisibleText(name)}</bdi>,
    },
    {
      id: 'when',
      header: t('column.when'),
      className: 'whitespace-normal sm:min-w-44',
      cell: ({ cron, zone }) => {
        const sentence = words(cron);
        return (
          <>
            {sentence ?? <code className="text-xs">{cron}</code>}
            <NotInFile>
              <span className="block text-muted-foreground text-xs">{sentence ? `${zone} · ${cron}` : zone}</span>
            </NotInFile>
          </>
        );
      },
    },
    {
      id: 'instances',
      header: t('column.instances'),
      value: ({ instances }) => instances.length,
      hide: 'max-sm:hidden',
      className: 'min-w-36 whitespace-normal [overflow-wrap:anywhere]',
      cell: ({ instances }) => {
        const names = instances.slice(0, NAMES_SHOWN).map(({ name }) => toVisibleText(name));
        const more = instances.length > NAMES_SHOWN;
        return (
          <>
            {more || instances.length === 0 ? `${t('count', { count: instances.length })} ` : null}
            <NotInFile>
              <bdi className={more ? 'block text-muted-foreground text-xs' : undefined}>
                {names.join(', ')}
                {more ? ' …' : null}
              </bdi>
            </NotInFile>
          </>
        );
      },
    },
    {
      id: 'next',
      header: t('column.next'),
      value: ({ nextAt }) => nextAt,
      hide: 'max-sm:hidden',
      className: 'num',
      cell: ({ nextAt }) => (nextAt === null ? <Badge>{t('off')}</Badge> : <Value value={nextAt} as="dateTime" />),
    },
    {
      id: 'by',
      header: t('column.by'),
      value: ({ by }) => by,
      hide: 'max-lg:hidden',
      className: 'max-w-40 truncate text-muted-foreground',
      cell: ({ by }) => personName(by),
    },
    {
      id: 'on',
      header: t('column.on'),
      quiet: true,
      className: 'w-px',
      cell: (schedule) => (
        <OfSchedule schedule={schedule}>
          <Switch
            aria-label={t('toggle', { name: schedule.name })}
            checked={schedule.on}
            disabled={change.isPending}
            onCheckedChange={(on) =>
              change.mutate({ id: schedule.id, body: { ...toScheduleInput(schedule), on } }, { onError: showError })
            }
          />
        </OfSchedule>
      ),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (schedule) => (
        <OfSchedule schedule={schedule}>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('edit', { name: schedule.name })}
            onClick={() => onEdit(schedule)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('remove', { name: schedule.name })}
            onClick={() => setRemoving(schedule)}
          >
            <Trash2 aria-hidden />
          </Button>
        </OfSchedule>
      ),
    },
  ];
  return (
    <>
      <DataTable id="schedules" label={t('title')} columns={columns} rows={schedules} rowId={({ id }) => id} />
      {removing ? (
        <ConfirmDialog
          title={t('removeTitle', { name: removing.name })}
          text={t('removeText')}
          confirm={t('removeYes')}
          busy={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.mutate(removing.id, { onError: showError, onSettled: () => setRemoving(null) })}
        />
      ) : null}
    </>
  );
}

/** Shown to those who may scan its instances. */
const OfSchedule = ({ schedule, children }: { schedule: Schedule; children: ReactNode }) => (
  <May permission="scan.run" instanceId={schedule.instances[0]?.id ?? null}>
    {children}
  </May>
);
