import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useScheduleActs } from '@/components/data/queries/use-schedules';
import { Field } from '@/components/ui/forms/field';
import { Fold } from '@/components/ui/forms/fold';
import { Input } from '@/components/ui/forms/input';
import type { Schedule } from '@/lib/model/schedules/schedule';
import { buildNewSchedule, type ScheduleForm, toScheduleInput } from './schedule-form';
import { ScheduleOptions } from './schedule-options';
import { TargetFields } from './target-fields';
import { useProblem } from './use-problem';
import { WhenFields } from './when-fields';
import { WindowFields } from './window-fields';

/** Adds a schedule (`schedule` null), or edits one. */
export function ScheduleDialog({ schedule, onClose }: { schedule: Schedule | null; onClose: () => void }) {
  const t = useTranslations('schedules.form');
  const problem = useProblem();
  const { add, change } = useScheduleActs();
  const [form, setForm] = useState<ScheduleForm>(() => (schedule ? toScheduleInput(schedule) : buildNewSchedule()));
  const [open, setOpen] = useState(false);
  const set = (patch: Partial<ScheduleForm>) => setForm((before) => ({ ...before, ...patch }));
  const { targets } = form;
  const hasTargets =
    targets.by === 'instances'
      ? targets.ids.length > 0
      : targets.by === 'tags'
        ? targets.tags.length > 0
        : targets.environment.trim() !== '';
  const save = () =>
    schedule
      ? change.mutate({ id: schedule.id, body: form }, { onSuccess: onClose })
      : add.mutate(form, { onSuccess: onClose });
  const error = add.error ?? change.error;
  const said = problem(error);
  return (
    <EditDialog
      title={schedule ? t('editTitle', { name: schedule.name }) : t('addTitle')}
      description={t('text')}
      save={t('save')}
      ready={form.name.trim() !== '' && hasTargets}
      busy={add.isPending || change.isPending}
      error={said ? null : error}
      onSave={save}
      onClose={onClose}
    >
      <Field label={t('name')}>
        <Input
          value={form.name}
          maxLength={80}
          autoComplete="off"
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <WhenFields form={form} onChange={set} />
      <TargetFields targets={targets} onChange={(chosen) => set({ targets: chosen })} />
      <Fold title={t('more')} open={open} onOpenChange={setOpen}>
        <WindowFields form={form} onChange={set} />
        <ScheduleOptions form={form} onChange={set} />
      </Fold>
      {said ? (
        <p role="alert" className="text-danger text-sm">
          {said}
        </p>
      ) : null}
    </EditDialog>
  );
}
