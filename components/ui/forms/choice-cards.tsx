import { RadioGroup } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';

export interface Choice<V extends string> {
  value: V;
  title: ReactNode;
  note?: ReactNode;
  text?: ReactNode;
  disabled?: boolean;
}

/** One of a few that need a sentence each. */
export function ChoiceCards<V extends string>(props: {
  label: ReactNode;
  value: V;
  onValueChange: (value: V) => void;
  options: readonly Choice<V>[];
  className?: string;
}) {
  const id = useId();
  return (
    <div className="space-y-1.5">
      <p id={id} className="font-medium">
        {props.label}
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        value={props.value}
        onValueChange={(v) => props.onValueChange(v as V)}
        className={cn('grid gap-2 sm:grid-cols-3', props.className)}
      >
        {props.options.map((o) => (
          <RadioGroup.Item
            key={o.value}
            value={o.value}
            disabled={o.disabled}
            className="group flex flex-col items-start rounded-lg border border-control-border bg-surface p-2.5 text-left transition-colors hover:bg-hover disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=checked]:bg-accent-soft data-[state=checked]:ring-1 data-[state=checked]:ring-accent-solid"
          >
            <span className="flex w-full flex-wrap items-baseline justify-between gap-x-2">
              <span className="font-medium">{o.title}</span>
              {o.note ? <span className="num text-muted-foreground text-xs">{o.note}</span> : null}
            </span>
            {o.text ? <span className="mt-0.5 text-muted-foreground text-xs">{o.text}</span> : null}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
