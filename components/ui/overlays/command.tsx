import { Command as Cmdk, defaultFilter, useCommandState } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';

/** The value of an item that matches every text and is listed after all others. */
export const MATCHES_ANY_TEXT = 'matches any text';
/**
 * Scores of cmdk up to this are no matches: the letters of the text are scattered within words. Two such gaps give 0.03,
 * one gives 0.17.
 */
const NO_MATCH = 0.1;
const scoreMatch: typeof defaultFilter = (value, search, keywords) => {
  if (value === MATCHES_ANY_TEXT) return NO_MATCH;
  const score = defaultFilter(value, search, keywords);
  return score > NO_MATCH ? score : 0;
};

/** Shows a searchable list of actions over the page. */
export function CommandDialog(props: {
  onOpenChange: (open: boolean) => void;
  title: string;
  placeholder: string;
  empty: string;
  /** Text that was typed before the dialog was loaded. `chosen`: its first match is selected at once. */
  typed: { text: string; chosen: boolean };
  children: ReactNode;
}) {
  const [query, setQuery] = useState(props.typed.text);
  return (
    <Radix.Root open onOpenChange={props.onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in-0 fixed inset-0 z-50 animate-in bg-black/30 duration-100 dark:bg-black/60" />
        <Radix.Content
          aria-describedby={undefined}
          className="fade-in-0 zoom-in-98 fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-in overflow-hidden rounded-xl border bg-surface shadow-float duration-100 focus:outline-none"
        >
          <Radix.Title className="sr-only">{props.title}</Radix.Title>
          <Cmdk label={props.title} filter={scoreMatch} loop>
            {props.typed.chosen ? <SelectFirst query={query} /> : null}
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search className="size-4 shrink-0 text-muted-foreground" aria-hidden />
              <Cmdk.Input
                autoFocus
                value={query}
                onValueChange={setQuery}
                placeholder={props.placeholder}
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted-foreground"
              />
            </div>
            <Cmdk.List className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5">
              <Cmdk.Empty className="px-3 py-8 text-center text-muted-foreground">{props.empty}</Cmdk.Empty>
              {props.children}
            </Cmdk.List>
          </Cmdk>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Presses Enter for the person once the list has been filtered by the query, which selects the first match. */
function SelectFirst({ query }: { query: string }) {
  const inList = useRef<HTMLSpanElement>(null);
  const isDone = useRef(false);
  const searched = useTyped();
  const matches = useCommandState((state) => state.filtered.count);
  useEffect(() => {
    if (isDone.current || searched !== query || matches === 0) return;
    // The list is sorted and its first item is highlighted only in the frames after the search.
    const timer = setTimeout(() => {
      isDone.current = true;
      inList.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    }, 50);
    return () => clearTimeout(timer);
  }, [query, searched, matches]);
  return <span ref={inList} hidden />;
}

/** The typed text; for components inside the dialog. */
export const useTyped = (): string => useCommandState((state) => state.search);

export function CommandGroup(props: ComponentProps<typeof Cmdk.Group>) {
  return (
    <Cmdk.Group
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted-foreground [&_[cmdk-group-heading]]:text-xs"
      {...props}
    />
  );
}

export function CommandItem(props: ComponentProps<typeof Cmdk.Item>) {
  return (
    <Cmdk.Item
      className="flex cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-2 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-muted-foreground"
      {...props}
    />
  );
}
