'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMakePlan } from '@/components/data/use-deletions';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { ChoiceCards } from '@/components/ui/choice-cards';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import { DeletionOptions, type DeletionTask, ExpireOptions, type Selection } from '@/lib/model/deletion';
import { narrows } from '@/lib/model/filter';
import type { Speed } from '@/lib/model/job';

const MODES = ['archive', 'quarantine', 'drain', 'unlink'] as const;
const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];

export interface PlanStart {
  task: DeletionTask;
  /** Of a plan that is changed: what the dialog does not ask for stays as it was, too. */
  options?: DeletionOptions | ExpireOptions;
}

/** Four digits: a minute is 0.0167 of an hour, and comes back as a minute. */
const hoursOf = (seconds: number | undefined, otherwise: number) =>
  String(seconds === undefined ? otherwise : Math.round((seconds / 3600) * 10_000) / 10_000);

/** Chooses how the selected keys go (or which expiry they get), makes the plan and opens it. Changes nothing yet. */
export function PlanDialog(props: {
  instanceId: string;
  selection: Selection;
  start: PlanStart;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('deletions');
  const scans = useTranslations('scans.speed');
  const errorText = useErrorText();
  const router = useRouter();
  const make = useMakePlan();
  const { start } = props;
  const [all, setAll] = useState(false);
  // A filter that leaves out nothing means every key of the snapshot, which a person has to say.
  const everyKey = props.selection.by === 'filter' && !narrows(props.selection.filter);
  const selection: Selection =
    props.selection.by === 'filter' && everyKey && all ? { ...props.selection, all: true } : props.selection;
  const expire = start.task === 'expire';
  const before: Partial<DeletionOptions & ExpireOptions> = start.options ?? {};
  const [mode, setMode] = useState(MODES.find((one) => one === before.mode) ?? 'archive');
  const [speed, setSpeed] = useState<Speed>(before.speed ?? 'gentle');
  const [hours, setHours] = useState(() => ({
    from: hoursOf(before.fromSeconds, 24),
    window: hoursOf(before.windowSeconds, 24),
    quarantine: String(before.quarantineHours ?? 24),
    retention: String(before.retentionHours ?? 168),
  }));
  const [only, setOnly] = useState<'none' | 'all'>(before.only ?? 'none');
  const count = selection.by === 'keys' ? selection.keys.length : null;
  const number = (name: keyof typeof hours) => (
    <Input
      inputMode="decimal"
      value={hours[name]}
      onChange={(event) => setHours({ ...hours, [name]: event.target.value })}
    />
  );

  const request = () => {
    const { instanceId } = props;
    if (expire) {
      const options = ExpireOptions.safeParse({
        ...before,
        speed,
        only,
        fromSeconds: Math.round(Number(hours.from) * 3600),
        windowSeconds: Math.round(Number(hours.window) * 3600),
      });
      return options.success ? { task: 'expire' as const, instanceId, selection, options: options.data } : null;
    }
    const options = DeletionOptions.safeParse({
      ...before,
      mode,
      speed,
      quarantineHours: Number(hours.quarantine),
      retentionHours: Number(hours.retention),
    });
    return options.success ? { task: 'delete' as const, instanceId, selection, options: options.data } : null;
  };
  const asked = request();

  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange}>
      <DialogContent
        title={t(expire ? 'new.titleExpire' : 'new.title')}
        description={count === null ? t('new.textFilter') : t('new.textDelete', { count })}
        footer={
          <>
            <DialogClose asChild>
              <Button>{t('new.cancel')}</Button>
            </DialogClose>
            <Button
              variant="primary"
              busy={make.isPending}
              disabled={asked === null || (everyKey && !all)}
              onClick={() =>
                asked &&
                make.mutate(asked, {
                  onSuccess: (plan) =>
                    router.push(`/instances/${encodeURIComponent(props.instanceId)}/deletions/${plan.id}`),
                })
              }
            >
              {t('new.make')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          {expire ? (
            <>
              <div className="grid gap-3 sm:grid-cols-2">
                <Field label={t('new.from')}>{number('from')}</Field>
                <Field label={t('new.window')}>{number('window')}</Field>
              </div>
              <ChoiceCards
                label={t('new.only')}
                value={only}
                onValueChange={setOnly}
                className="sm:grid-cols-2"
                options={[
                  { value: 'none', title: t('new.onlyNone') },
                  { value: 'all', title: t('new.onlyAll') },
                ]}
              />
            </>
          ) : (
            <>
              <ChoiceCards
                label={t('new.mode')}
                value={mode}
                onValueChange={setMode}
                className="sm:grid-cols-2"
                options={MODES.map((value) => ({
                  value,
                  title: t(`mode.${value}.name`),
                  text: `${t(`mode.${value}.text`)} ${t(`mode.${value}.undo`)}.`,
                }))}
              />
              {mode === 'quarantine' ? <Field label={t('new.quarantineHours')}>{number('quarantine')}</Field> : null}
              {mode === 'archive' || mode === 'quarantine' ? (
                <Field label={t('new.retentionHours')}>{number('retention')}</Field>
              ) : null}
            </>
          )}
          <div className="flex items-center gap-3">
            <span className="font-medium">{t('new.speed')}</span>
            <Segmented
              label={t('new.speed')}
              size="sm"
              value={speed}
              onValueChange={setSpeed}
              options={SPEEDS.map((value) => ({ value, label: scans(`${value}.name`), title: scans(`${value}.text`) }))}
            />
          </div>
          {everyKey ? (
            <label className="flex items-start gap-2.5">
              <input
                type="checkbox"
                className="mt-0.5 size-4 shrink-0 accent-accent-solid"
                checked={all}
                onChange={(event) => setAll(event.target.checked)}
              />
              <span>{t('new.everyKey')}</span>
            </label>
          ) : null}
          {make.error ? (
            <Alert tone="danger" title={errorText(make.error).title}>
              {errorText(make.error).hint}
            </Alert>
          ) : null}
        </div>
      </DialogContent>
    </Dialog>
  );
}
