import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { Input } from '@/components/ui/forms/input';
import { Label } from '@/components/ui/forms/label';
import { Switch } from '@/components/ui/forms/switch';
import type { ParamSpec } from '@/lib/model/rules/rules';

type Value = number | string | string[];

/**
 * A parameter of a rule (number, list of words, or yes/no), with its unit, the origin of its number, and the default as
 * placeholder.
 */
export function ParamInput(props: {
  id: string;
  spec: ParamSpec;
  value: Value | undefined;
  disabled: boolean;
  onChange: (value: Value | undefined) => void;
}) {
  const t = useTranslations('rules');
  const profiles = useTranslations('profiles');
  const f = useFormat();
  const locale = useLocale();
  const { spec, id } = props;
  const formatValue = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));
  const [draft, setDraft] = useState(props.value === undefined ? '' : formatValue(props.value));
  function setText(text: string) {
    setDraft(text);
    if (text.trim() === '') return props.onChange(undefined);
    if (spec.kind === 'number') {
      const number = Number(text);
      // Text that is not a number is passed on unchanged: saving must refuse it instead of storing the previous number.
      props.onChange(Number.isFinite(number) ? number : text);
    } else if (spec.kind === 'list') props.onChange(text.split(/[,\s]+/).filter(Boolean));
    else props.onChange(text);
  }
  if (spec.unit === 'yesNo')
    return (
      <div className="flex items-center gap-2 text-xs">
        <Switch
          id={id}
          checked={Number(draft === '' ? spec.default : draft) === 1}
          disabled={props.disabled}
          onCheckedChange={(on) => setText(on ? '1' : '0')}
        />
        <Label htmlFor={id} className="font-normal text-muted-foreground text-xs">
          {spec.label[locale]}
        </Label>
      </div>
    );
  const unit = (spec.unit && translateIfKnown(profiles, `unit.${spec.unit}`)) ?? '';
  const formatLimit = (value: number | undefined, none: string) => (value === undefined ? none : f.number(value));
  const number = spec.kind === 'number' ? Number(draft === '' ? spec.default : draft) : null;
  const hasForbiddenDecimals =
    spec.whole === true && number !== null && Number.isFinite(number) && !Number.isInteger(number);
  const isWrong =
    hasForbiddenDecimals ||
    (spec.kind === 'number' && draft !== '' && !(Number.isFinite(number) && isInRange(number ?? 0, spec)));
  return (
    <div className="text-xs">
      <Label htmlFor={id} className="font-normal text-muted-foreground text-xs">
        {spec.label[locale]}
      </Label>
      <div className="flex items-center gap-1.5">
        <Input
          id={id}
          className="h-7 max-w-40 font-mono text-xs"
          inputMode={spec.kind === 'number' ? (spec.whole ? 'numeric' : 'decimal') : undefined}
          placeholder={formatValue(spec.default)}
          value={draft}
          disabled={props.disabled}
          aria-invalid={isWrong || undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="whitespace-nowrap text-muted-foreground">
          {spec.unit === 'bytes' && number !== null && Number.isFinite(number) ? f.bytes(number) : unit}
        </span>
      </div>
      <span className={isWrong ? 'text-danger' : 'text-muted-foreground'}>
        {hasForbiddenDecimals
          ? profiles('whole')
          : isWrong
            ? profiles('range', { min: formatLimit(spec.min, '−∞'), max: formatLimit(spec.max, '∞') })
            : t(`origin.${spec.origin}`)}
      </span>
    </div>
  );
}

const isInRange = (value: number, { min, max }: ParamSpec) =>
  (min === undefined || value >= min) && (max === undefined || value <= max);
