import type { ReactNode } from 'react';
import { cn } from './cn';

/** A list of `FactRow` for facts that do not form a table, with thin lines between them. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="divide-y">{children}</dl>;
}

/** A label on the left and its value on the right. `title` explains the label on hover, which a dotted line shows. */
export function FactRow(props: { label: ReactNode; title?: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-baseline justify-between gap-4 py-1.5" title={props.title}>
      <dt
        className={cn(
          'min-w-0 flex-1 text-muted-foreground',
          props.title && 'underline decoration-dotted underline-offset-4',
        )}
      >
        {props.label}
      </dt>
      <dd className="num max-w-[62%] whitespace-normal text-right [overflow-wrap:anywhere]">{props.children}</dd>
    </div>
  );
}
