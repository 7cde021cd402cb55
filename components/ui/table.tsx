import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/**
 * Scrolls sideways by itself, so that the page never does (`relative` keeps sr-only texts inside). It can be focused,
 * so that the keyboard can scroll it.
 */
export function TableScroll({ className, label, ...props }: ComponentProps<'section'> & { label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={cn('relative w-full overflow-x-auto', className)} {...props} />
  );
}

export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table className={cn('w-full border-collapse text-sm', className)} {...props} />;
}

export function THead({ className, ...props }: ComponentProps<'thead'>) {
  return <thead className={cn('border-b text-muted-foreground text-xs', className)} {...props} />;
}

export function TBody({ className, ...props }: ComponentProps<'tbody'>) {
  return <tbody className={cn('[&>tr:last-child]:border-b-0', className)} {...props} />;
}

export function Tr({ className, ...props }: ComponentProps<'tr'>) {
  return <tr className={cn('border-b transition-colors hover:bg-hover/60', className)} {...props} />;
}

export function Th({ className, right, ...props }: ComponentProps<'th'> & { right?: boolean }) {
  return (
    <th
      scope="col"
      className={cn(
        'h-8 whitespace-nowrap px-3 font-medium first:pl-4 last:pr-4',
        right ? 'text-right' : 'text-left',
        className,
      )}
      {...props}
    />
  );
}

/** `num`: right-aligned tabular figures. */
export function Td({ className, num, ...props }: ComponentProps<'td'> & { num?: boolean }) {
  return (
    <td
      className={cn('h-9 px-3 py-1.5 align-middle first:pl-4 last:pr-4', num && 'num text-right', className)}
      {...props}
    />
  );
}

/** A header that sorts. `column` is the name that the column chooser uses. */
export function SortTh(props: {
  column?: string;
  direction: 'ascending' | 'descending' | 'none';
  onToggle: () => void;
  right?: boolean;
  className?: string;
  title?: string;
  children: ReactNode;
}) {
  const { direction } = props;
  const Icon = direction === 'none' ? ChevronsUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <Th
      data-column={props.column}
      right={props.right}
      aria-sort={direction}
      className={props.className}
      title={props.title}
    >
      <button
        type="button"
        onClick={props.onToggle}
        className={cn(
          'group inline-flex items-center gap-1 rounded font-medium hover:text-foreground',
          props.right && 'flex-row-reverse',
          direction !== 'none' && 'text-foreground',
        )}
      >
        {props.children}
        <Icon
          // Above figures the arrow is in the space between the columns, and on a phone it is shown only for the sorted
          // column: a sortable column must not be wider than one that is not.
          className={cn(
            'size-3 shrink-0',
            props.right && '-ml-4',
            direction === 'none' && 'opacity-40 group-hover:opacity-100 max-sm:hidden',
          )}
          aria-hidden
        />
      </button>
    </Th>
  );
}
