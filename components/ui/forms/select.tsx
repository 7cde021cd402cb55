import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { SelectOption } from './select-option';

const useParts = onDemand(() => import('./select-list'));
/** The keys that open the list, as in a native select. */
const OPEN_KEYS = [' ', 'Enter', 'ArrowUp', 'ArrowDown'];

/**
 * A list of choices. Values must not be empty strings (Radix reserves '' for "nothing chosen"). A page contains only
 * the chosen text; the list is loaded when a person is about to open it.
 */
export function Select<V extends string>(props: {
  value: V | undefined;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  placeholder?: ReactNode;
  id?: string;
  className?: string;
  disabled?: boolean;
  size?: 'sm' | 'md';
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
}) {
  const [open, setOpen] = useState(false);
  /** The pointer or the focus has reached the trigger, so the list is loaded. */
  const [reached, setReached] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const parts = useParts(reached || open);
  const chosen = props.options.find((option) => option.value === props.value);
  const onKeyDown = (event: KeyboardEvent) => {
    if (OPEN_KEYS.includes(event.key)) {
      event.preventDefault();
      setOpen(true);
    } else if (event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const next = findByLetter(props.options, chosen, event.key);
      if (next) props.onValueChange(next.value);
    }
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        role="combobox"
        id={props.id}
        disabled={props.disabled}
        aria-label={props['aria-label']}
        aria-describedby={props['aria-describedby']}
        aria-invalid={props['aria-invalid']}
        aria-autocomplete="none"
        aria-expanded={open}
        aria-controls={open && parts ? listId : undefined}
        data-state={open ? 'open' : 'closed'}
        data-placeholder={chosen ? undefined : ''}
        onPointerEnter={() => setReached(true)}
        onFocus={() => setReached(true)}
        onPointerDown={(event) => {
          // Opens when the mouse button is pressed, as a native select does; touches open it at their end (onClick).
          if (event.button !== 0 || event.ctrlKey || event.pointerType !== 'mouse') return;
          event.preventDefault();
          event.currentTarget.focus();
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        className={cn(
          'inline-flex items-center justify-between gap-2 rounded-md border border-control-border bg-surface px-2.5 text-foreground text-sm shadow-card transition-colors hover:bg-hover disabled:opacity-50 data-placeholder:text-muted-foreground [&>span]:truncate',
          props.size === 'sm' ? 'h-7' : 'h-8',
          props.className,
        )}
      >
        <span className="pointer-events-none">{chosen?.label ?? props.placeholder}</span>
        <ChevronDown className="size-3.5 shrink-0 text-muted-foreground" aria-hidden />
      </button>
      {parts ? (
        <parts.SelectList
          trigger={trigger}
          listId={listId}
          open={open}
          onOpenChange={setOpen}
          value={props.value}
          onValueChange={props.onValueChange}
          options={props.options}
        />
      ) : null}
    </>
  );
}

/** The next choice that begins with the letter, as in a native select. */
function findByLetter<V extends string>(
  options: readonly SelectOption<V>[],
  chosen: SelectOption<V> | undefined,
  letter: string,
): SelectOption<V> | undefined {
  const from = chosen ? options.indexOf(chosen) + 1 : 0;
  return [...options.slice(from), ...options.slice(0, from)].find(
    ({ label }) => typeof label === 'string' && label.toLowerCase().startsWith(letter.toLowerCase()),
  );
}
