import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input } from './input';

/** A filter field. `/` focuses it from anywhere on the page; Escape empties it. */
export function FilterInput(props: { value: string; onValueChange: (value: string) => void; placeholder: string }) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target as HTMLElement | null;
      if (target?.closest('input, textarea, select, [contenteditable=true], [role=dialog]')) return;
      event.preventDefault();
      ref.current?.focus();
      ref.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div className="group relative w-full sm:w-72">
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-muted-foreground"
        aria-hidden
      />
      <Input
        ref={ref}
        type="search"
        value={props.value}
        onChange={(e) => props.onValueChange(e.target.value)}
        onKeyDown={(e) => {
          if (e.key !== 'Escape') return;
          if (props.value === '') e.currentTarget.blur();
          else props.onValueChange('');
        }}
        placeholder={props.placeholder}
        aria-label={props.placeholder}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        className="px-8"
      />
      <kbd
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded border bg-background px-1.5 font-sans text-2xs text-muted-foreground group-focus-within:hidden max-sm:hidden"
      >
        /
      </kbd>
    </div>
  );
}
