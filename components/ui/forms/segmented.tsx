import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { findTabValue, rove } from './rove';

/** A choice of a few options, shown next to each other. */
export function Segmented<V extends string>(props: {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode; title?: string; disabled?: boolean }[];
  label: string;
  size?: 'sm' | 'md';
  disabled?: boolean;
  className?: string;
}) {
  const reached = findTabValue(props.options, props.value);
  return (
    <div
      role="radiogroup"
      aria-label={props.label}
      onKeyDown={rove}
      className={cn('inline-flex shrink-0 items-center gap-0.5 rounded-md bg-muted p-0.5', props.className)}
    >
      {props.options.map((o) => (
        // biome-ignore lint/a11y/useSemanticElements: what is chosen looks like a pressed button, which no input can
        <button
          key={o.value}
          type="button"
          role="radio"
          aria-checked={o.value === props.value}
          data-state={o.value === props.value ? 'on' : 'off'}
          tabIndex={o.value === reached ? 0 : -1}
          title={o.title}
          disabled={props.disabled || o.disabled}
          onClick={() => o.value !== props.value && props.onValueChange(o.value)}
          className={cn(
            'inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-[5px] font-medium text-muted-foreground transition-colors hover:text-foreground disabled:opacity-50 data-[state=on]:bg-surface data-[state=on]:text-foreground data-[state=on]:shadow-sm dark:data-[state=on]:bg-border-strong [&_svg]:size-3.5',
            props.size === 'sm' ? 'h-6 px-2 text-xs' : 'h-7 px-2.5 text-sm',
          )}
        >
          {o.label}
        </button>
      ))}
    </div>
  );
}
