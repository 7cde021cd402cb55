import { useEffect, useRef, useState } from 'react';

/** A longer pause, ms, for fields in which a part of the intended text is valid too: `1` on the way to `10k`. */
export const LONG_REST_MS = 600;

/**
 * Text that is committed when typing pauses for `restMs`. It follows `value` when that changes from outside (chip
 * removed, back button).
 */
export function useDraft(value: string, commit: (text: string) => void, restMs = 300) {
  const [text, setText] = useState(value);
  const committed = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value !== committed.current) setText(value);
    committed.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flush = (next: string) => {
    clearTimeout(timer.current);
    if (next === committed.current) return;
    committed.current = next;
    commit(next);
  };
  return {
    text,
    change: (next: string) => {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => flush(next), restMs);
    },
    flush: () => flush(text),
  };
}
