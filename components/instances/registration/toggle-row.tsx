import { type ReactNode, useId } from 'react';
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form';
import { Label } from '@/components/ui/forms/label';
import { Switch } from '@/components/ui/forms/switch';
import type { FormValues } from './form-values';

export function ToggleRow(props: { name: FieldPathByValue<FormValues, boolean>; label: ReactNode; hint?: ReactNode }) {
  const id = useId();
  const { control } = useFormContext<FormValues>();
  return (
    <div className="flex items-start gap-3">
      <Controller
        control={control}
        name={props.name}
        render={({ field }) => (
          <Switch
            id={id}
            checked={field.value}
            onCheckedChange={field.onChange}
            aria-describedby={props.hint ? `${id}-hint` : undefined}
            className="mt-px"
          />
        )}
      />
      <div>
        <Label htmlFor={id}>{props.label}</Label>
        {props.hint ? (
          <p id={`${id}-hint`} className="text-muted-foreground text-xs">
            {props.hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
