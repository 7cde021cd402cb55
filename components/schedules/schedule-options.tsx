import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import type { FormPart, ScheduleForm } from './schedule-form';

const SPEEDS = ['gentle', 'balanced', 'fast'] as const;
const TARGETS = ['auto', 'replica', 'primary'] as const;
const FACTS = ['full', 'basic', 'counts'] as const;
const CATCH_UP = ['last', 'none'] as const;
/** Fields with a number, and the least and the most that each may be. */
const NUMBERS = [
  { field: 'spreadMinutes', label: 'spread', hint: 'spreadHint', min: 0, max: 1440 },
  { field: 'atOnce', label: 'atOnce', hint: null, min: 1, max: 100 },
  { field: 'graceHours', label: 'grace', hint: 'graceHint', min: 1, max: 168 },
] as const;

/** How a schedule deals with many instances and with missed times, and how it scans. */
export function ScheduleOptions({ form, onChange }: FormPart) {
  const t = useTranslations('schedules.form');
  const scans = useTranslations('scans');
  const { options } = form;
  const setOptions = (patch: Partial<ScanOptions>) => onChange({ options: { ...options, ...patch } });
  const facts = options.facts === 'basic' ? 'basic' : options.counts === 'all' ? 'counts' : 'full';
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        {NUMBERS.map(({ field, label, hint, min, max }) => (
          <Field key={field} label={t(label)} hint={hint ? t(hint) : undefined}>
            <Input
              type="number"
              required
              min={min}
              max={max}
              value={form[field]}
              onChange={({ target }) => {
                const value = Math.round(target.valueAsNumber);
                if (value >= min && value <= max) onChange({ [field]: value } as Partial<ScheduleForm>);
              }}
            />
          </Field>
        ))}
      </div>
      <Field label={t('catchUp')}>
        <Select
          value={form.catchUp}
          onValueChange={(catchUp) => onChange({ catchUp })}
          options={CATCH_UP.map((value) => ({ value, label: t(`catch.${value}`) }))}
        />
      </Field>
      <Field label={t('speed')}>
        <Select
          value={options.speed}
          onValueChange={(speed) => setOptions({ speed })}
          options={SPEEDS.map((value) => ({ value, label: scans(`speed.${value}.name`) }))}
        />
      </Field>
      <Field label={t('target')}>
        <Select
          value={options.target}
          onValueChange={(target) => setOptions({ target })}
          options={TARGETS.map((value) => ({ value, label: scans(`target.${value}`) }))}
        />
      </Field>
      <Field label={t('facts')}>
        <Select
          value={facts}
          onValueChange={(value) =>
            setOptions({ facts: value === 'basic' ? 'basic' : 'full', counts: value === 'counts' ? 'all' : 'large' })
          }
          options={FACTS.map((value) => ({ value, label: scans(`facts.${value}`) }))}
        />
      </Field>
    </>
  );
}
