import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

/**
 * A switch that looks like the one of Radix, without its support for native forms, which would add 3 KiB to every page.
 */
export function Switch({
  checked,
  onCheckedChange,
  className,
  ...props
}: Omit<ComponentProps<'button'>, 'onClick' | 'type'> & {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        'group inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-transparent bg-control-border p-px transition-colors disabled:opacity-50 aria-checked:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <span
        aria-hidden
        className="block size-3.5 rounded-full bg-white shadow-sm transition-transform group-aria-checked:translate-x-3.5"
      />
    </button>
  );
}
