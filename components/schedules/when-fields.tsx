import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useSchedulePreview } from '@/components/data/queries/use-schedules';
import { useErrorText } from '@/components/data/use-error-text';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { DayBoxes } from './day-boxes';
import { buildCron, findOnlyTime, parseCron } from './parse-cron';
import type { FormPart } from './schedule-form';
import { useCronWords } from './use-cron-words';
import { useProblem } from './use-problem';

const KINDS = ['daily', 'weekly', 'cron'] as const;
type Kind = (typeof KINDS)[number];

/** The simple choice that has this cron text; `cron`: none has. */
function findKind(cron: string): Kind {
  const parts = parseCron(cron);
  if (parts === null || findOnlyTime(parts) === null || parts.days !== null || parts.months !== null) return 'cron';
  return parts.weekdays === null ? 'daily' : 'weekly';
}

/** When a schedule is due: every night, every week or by a cron text; says it in words, with the next three times. */
export function WhenFields({ form, onChange }: FormPart) {
  const t = useTranslations('schedules.form');
  const f = useFormat();
  const words = useCronWords();
  const problem = useProblem();
  const errorText = useErrorText();
  const [kind, setKind] = useState<Kind>(() => findKind(form.cron));
  const preview = useSchedulePreview({ cron: form.cron, zone: form.zone });
  const parts = parseCron(form.cron);
  const time = (parts && findOnlyTime(parts)) ?? '03:10';
  const weekdays = parts?.weekdays ?? [1];
  const choose = (next: Kind) => {
    setKind(next);
    if (next !== 'cron') onChange({ cron: buildCron(time, next === 'weekly' ? weekdays : null) });
  };
  const setTime = (value: string) => {
    // An empty field is not a time yet.
    if (value !== '') onChange({ cron: buildCron(value, kind === 'weekly' ? weekdays : null) });
  };
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1.5 font-medium text-sm">{t('when')}</legend>
      <Segmented
        label={t('when')}
        value={kind}
        onValueChange={choose}
        options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        {kind === 'cron' ? (
          <Field label={t('cron')} hint={t('cronHint')}>
            <Input
              value={form.cron}
              maxLength={100}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              onChange={({ target }) => onChange({ cron: target.value })}
            />
          </Field>
        ) : (
          <Field label={t('time')}>
            <Input type="time" required value={time} onChange={({ target }) => setTime(target.value)} />
          </Field>
        )}
        <Field label={t('zone')}>
          <Input
            value={form.zone}
            maxLength={64}
            list="schedule-zones"
            spellCheck={false}
            autoComplete="off"
            onChange={({ target }) => onChange({ zone: target.value })}
          />
        </Field>
      </div>
      <datalist id="schedule-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {kind === 'weekly' ? (
        <DayBoxes
          label={t('days')}
          days={weekdays}
          onChange={(days) => days.length > 0 && onChange({ cron: buildCron(time, days) })}
        />
      ) : null}
      <div className="space-y-0.5 text-sm" aria-live="polite">
        {preview.error ? (
          <p className="text-danger">{problem(preview.error) ?? errorText(preview.error).title}</p>
        ) : (
          <>
            <p>{words(form.cron)}</p>
            <p className="text-muted-foreground text-xs">
              {preview.data ? t('next', { times: preview.data.map((at) => f.dateTime(at)).join(' · ') }) : ' '}
            </p>
          </>
        )}
      </div>
    </fieldset>
  );
}
