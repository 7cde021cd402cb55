import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

/** One of a few, side by side. */
export function Segmented<V extends string>(props: {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode; title?: string; disabled?: boolean }[];
  label: string;
  size?: 'sm' | 'md';
  disabled?: boolean;
  className?: string;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={props.value}
      onValueChange={(v) => v && props.onValueChange(v as V)}
      aria-label={props.label}
      disabled={props.disabled}
      className={cn('inline-flex shrink-0 items-center gap-0.5 rounded-md bg-muted p-0.5', props.className)}
    >
      {props.options.map((o) => (
        <ToggleGroup.Item
          key={o.value}
          value={o.value}
          title={o.title}
          disabled={o.disabled}
          className={cn(
            'inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-[5px] font-medium text-muted-foreground transition-colors hover:text-foreground disabled:opacity-50 data-[state=on]:bg-surface data-[state=on]:text-foreground data-[state=on]:shadow-sm dark:data-[state=on]:bg-border-strong [&_svg]:size-3.5',
            props.size === 'sm' ? 'h-6 px-2 text-xs' : 'h-7 px-2.5 text-sm',
          )}
        >
          {o.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
