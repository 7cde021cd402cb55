import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';

/**
 * The line above a table with selectable rows. The selection bar covers it: a line that came and went would move the
 * rows under the pointer.
 */
export function SelectionPlace(props: {
  /** The selection bar; null: nothing is selected. */
  bar: ReactNode | null;
  /** Content at the end of the line, which stays visible next to the bar if there is enough width for both. */
  beside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const covered = props.bar !== null;
  return (
    <div
      className={cn(
        'relative flex min-h-10 items-center gap-2 border-b pr-2.5 pl-4',
        covered && 'rounded-t-lg bg-accent-soft',
        props.className,
      )}
    >
      <div className={cn('min-w-0 flex-1', covered && 'invisible')}>{props.children}</div>
      {props.beside ? <div className={cn(covered && 'max-sm:invisible')}>{props.beside}</div> : null}
      {covered ? (
        <div className={cn('@container absolute inset-0 flex items-center pr-2 pl-4', props.beside && 'sm:right-12')}>
          {props.bar}
        </div>
      ) : null}
    </div>
  );
}
