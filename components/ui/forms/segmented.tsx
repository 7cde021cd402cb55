import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { findTabValue, rove } from './rove';

/** A choice of a few options, shown next to each other. */
export function Segmented<V extends string>(props: {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode; title?: string }[];
  label: string;
  size?: 'sm' | 'md';
}) {
  const tabValue = findTabValue(props.options, props.value);
  return (
    <div
      role="radiogroup"
      aria-label={props.label}
      onKeyDown={rove}
      className="inline-flex shrink-0 items-center gap-0.5 rounded-md bg-muted p-0.5"
    >
      {props.options.map(({ value, label, title }) => (
        // biome-ignore lint/a11y/useSemanticElements: the chosen option looks like a pressed button, which no input can
        <button
          key={value}
          type="button"
          role="radio"
          aria-checked={value === props.value}
          data-state={value === props.value ? 'on' : 'off'}
          tabIndex={value === tabValue ? 0 : -1}
          title={title}
          onClick={() => value !== props.value && props.onValueChange(value)}
          className={cn(
            'inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-[5px] font-medium text-muted-foreground transition-colors hover:text-foreground data-[state=on]:bg-surface data-[state=on]:text-foreground data-[state=on]:shadow-sm dark:data-[state=on]:bg-border-strong [&_svg]:size-3.5',
            props.size === 'sm' ? 'h-6 px-2 text-xs' : 'h-7 px-2.5 text-sm',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
