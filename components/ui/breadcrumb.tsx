import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { cn } from './cn';

/** The last item is the current page; the others are links or buttons given by the caller. */
export function Breadcrumb(props: { label: string; items: { key: string; node: ReactNode }[] }) {
  return (
    <nav aria-label={props.label} className="min-w-0">
      <ol className="flex flex-wrap items-center gap-1 text-muted-foreground">
        {props.items.map((item, i) => {
          const last = i === props.items.length - 1;
          return (
            <Fragment key={item.key}>
              <li className={cn('min-w-0', last && 'text-foreground')} aria-current={last ? 'page' : undefined}>
                {item.node}
              </li>
              {last ? null : (
                <li aria-hidden>
                  <ChevronRight className="size-3" />
                </li>
              )}
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}
