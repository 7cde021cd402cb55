import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** A collapsible section for settings that most people do not change; a line shows the current values. */
export function Fold(props: {
  title: ReactNode;
  summary?: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <details
      className="group rounded-lg border"
      open={props.open}
      onToggle={(event) => props.onOpenChange(event.currentTarget.open)}
    >
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-lg px-2.5 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden />
        <span className="shrink-0 font-medium">{props.title}</span>
        {props.summary && !props.open ? (
          <span className="min-w-0 flex-1 truncate text-right text-muted-foreground text-xs">{props.summary}</span>
        ) : null}
      </summary>
      <div className="space-y-4 border-t p-3">{props.children}</div>
    </details>
  );
}
