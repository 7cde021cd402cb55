import { X } from 'lucide-react';
import type { ReactNode } from 'react';

/** One chip, with a button that removes it. */
export function ChipItem(props: { name: string; removeLabel: string; onRemove: () => void; children?: ReactNode }) {
  return (
    <li className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2 text-xs">
      <span className="whitespace-nowrap text-muted-foreground">{props.name}</span>
      {props.children}
      <button
        type="button"
        aria-label={props.removeLabel}
        className="flex h-full items-center rounded-r-md px-1.5 text-muted-foreground hover:bg-hover hover:text-foreground"
        onClick={props.onRemove}
      >
        <X className="size-3" aria-hidden />
      </button>
    </li>
  );
}
