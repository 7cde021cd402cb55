import { type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';
import { findTabValue, rove } from './rove';

export interface Choice<V extends string> {
  value: V;
  title: ReactNode;
  note?: ReactNode;
  text?: ReactNode;
}

/** A choice of a few options that need one sentence each. */
export function ChoiceCards<V extends string>(props: {
  label: ReactNode;
  value: V;
  onValueChange: (value: V) => void;
  options: readonly Choice<V>[];
  className?: string;
}) {
  const id = useId();
  const tabValue = findTabValue(props.options, props.value);
  return (
    <div className="space-y-1.5">
      <p id={id} className="font-medium">
        {props.label}
      </p>
      <div
        role="radiogroup"
        aria-labelledby={id}
        onKeyDown={(event) => rove(event)?.click()}
        className={cn('grid gap-2 sm:grid-cols-3', props.className)}
      >
        {props.options.map(({ value, title, note, text }) => (
          // biome-ignore lint/a11y/useSemanticElements: a card of several lines, which no input can be
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={value === props.value}
            data-state={value === props.value ? 'checked' : 'unchecked'}
            tabIndex={value === tabValue ? 0 : -1}
            onClick={() => value !== props.value && props.onValueChange(value)}
            className="group flex flex-col items-start rounded-lg border border-control-border bg-surface p-2.5 text-left transition-colors hover:bg-hover data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-soft data-[state=checked]:ring-1 data-[state=checked]:ring-accent-solid"
          >
            <span className="flex w-full flex-wrap items-baseline justify-between gap-x-2">
              <span className="font-medium">{title}</span>
              {note ? <span className="num text-muted-foreground text-xs">{note}</span> : null}
            </span>
            {text ? <span className="mt-0.5 text-muted-foreground text-xs">{text}</span> : null}
          </button>
        ))}
      </div>
    </div>
  );
}
