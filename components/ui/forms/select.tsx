import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

export interface SelectOption<V extends string = string> {
  value: V;
  label: ReactNode;
  /** A second, quieter line. */
  hint?: ReactNode;
  disabled?: boolean;
}

/** A closed list of choices. Values must not be empty strings (Radix keeps '' for "nothing chosen"). */
export function Select<V extends string>(props: {
  value: V | undefined;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  placeholder?: ReactNode;
  id?: string;
  className?: string;
  disabled?: boolean;
  size?: 'sm' | 'md';
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}) {
  return (
    <Radix.Root value={props.value} onValueChange={(v) => props.onValueChange(v as V)} disabled={props.disabled}>
      <Radix.Trigger
        id={props.id}
        aria-label={props['aria-label']}
        aria-describedby={props['aria-describedby']}
        aria-invalid={props['aria-invalid']}
        className={cn(
          'inline-flex items-center justify-between gap-2 rounded-md border border-control-border bg-surface px-2.5 text-foreground text-sm shadow-card transition-colors hover:bg-hover disabled:opacity-50 data-placeholder:text-muted-foreground [&>span]:truncate',
          props.size === 'sm' ? 'h-7' : 'h-8',
          props.className,
        )}
      >
        <Radix.Value placeholder={props.placeholder} />
        <Radix.Icon>
          <ChevronDown className="size-3.5 text-muted-foreground" aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="fade-in-0 z-50 max-h-[min(24rem,var(--radix-select-content-available-height))] min-w-[var(--radix-select-trigger-width)] max-w-[calc(100vw-1rem)] animate-in overflow-hidden rounded-lg border bg-surface shadow-float duration-100"
        >
          <Radix.Viewport className="p-1">
            {props.options.map((o) => (
              <Radix.Item
                key={o.value}
                value={o.value}
                disabled={o.disabled}
                className="relative flex cursor-default select-none items-center rounded-md py-1.5 pr-8 pl-2 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover"
              >
                <div className="min-w-0 [overflow-wrap:anywhere]">
                  <Radix.ItemText>{o.label}</Radix.ItemText>
                  {o.hint ? <div className="text-muted-foreground text-xs">{o.hint}</div> : null}
                </div>
                <Radix.ItemIndicator className="absolute right-2">
                  <Check className="size-3.5 text-accent" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
