import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { type DraftErrors, getBounds, type NumberName, type PlanDraft, parseNumber } from './plan-draft';

export interface DraftProps {
  draft: PlanDraft;
  /**
   * Errors of fields that were left, or of all fields once the form was submitted; typing the first digit shows none.
   */
  errors: DraftErrors;
  onChange: (change: Partial<PlanDraft>) => void;
  onLeave: (name: keyof DraftErrors) => void;
}

/** Numbers that must be whole. */
const WHOLE: readonly NumberName[] = ['retentionHours'];
/** Seconds per unit of the number in the plan; null: it is a share, not a time. */
const SECONDS: Record<NumberName, number | null> = {
  quarantineHours: 3600,
  retentionHours: 3600,
  tolerancePercent: null,
  fromSeconds: 1,
  windowSeconds: 1,
};

/** One number of a plan: its unit is in the label, the resulting time in the hint, its bounds in the error. */
export function NumberField(
  props: DraftProps & { name: NumberName; label: string; hint: (time: string) => ReactNode },
) {
  const t = useTranslations('deletions.new');
  const f = useFormat();
  const { name, draft } = props;
  const value = parseNumber(draft, name);
  const seconds = SECONDS[name];
  const format = (number: number) => (seconds === null ? f.share(number / 100) : f.seconds(number * seconds));
  const { min, max } = getBounds(name);
  const error = props.errors[name]
    ? t(WHOLE.includes(name) ? 'errorWhole' : 'errorNumber', { min: format(min), max: format(max) })
    : undefined;
  return (
    <Field label={props.label} hint={value === null ? undefined : props.hint(format(value))} error={error}>
      <Input
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={draft[name]}
        onChange={(event) => props.onChange({ [name]: event.target.value })}
        onBlur={() => props.onLeave(name)}
      />
    </Field>
  );
}
