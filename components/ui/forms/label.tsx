import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

/**
 * The label of one control, connected by `htmlFor` or by wrapping it. Text selection is off, so that a double click
 * toggles twice and selects no words.
 */
export function Label({ className, ...props }: ComponentProps<'label'>) {
  // biome-ignore lint/a11y/noLabelWithoutControl: the caller connects it with a control
  return <label className={cn('select-none font-medium text-foreground text-sm', className)} {...props} />;
}
