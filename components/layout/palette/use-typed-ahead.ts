import { useEffect, useState } from 'react';

/** The text that was typed before the palette was ready. */
export interface TypedAhead {
  text: string;
  /** Enter was pressed after the text. */
  chosen: boolean;
}

const NOTHING: TypedAhead = { text: '', chosen: false };

/**
 * Collects the keys that are pressed after the palette was opened and before it is `ready`, so that a fast typist loses
 * none and does not press buttons of the page below. Escape closes the palette.
 */
export function useTypedAhead(open: boolean, ready: boolean, onOpenChange: (open: boolean) => void): TypedAhead {
  const [typed, setTyped] = useState(NOTHING);
  useEffect(() => {
    if (!open) setTyped(NOTHING);
    if (!open || ready) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === 'Escape') onOpenChange(false);
      else if (event.key === 'Enter' || event.key === 'Backspace' || [...event.key].length === 1)
        setTyped((before) => applyTypedKey(before, event.key));
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [open, ready, onOpenChange]);
  return typed;
}

function applyTypedKey(before: TypedAhead, key: string): TypedAhead {
  if (before.chosen) return before;
  if (key === 'Enter') return { ...before, chosen: true };
  return { ...before, text: key === 'Backspace' ? [...before.text].slice(0, -1).join('') : before.text + key };
}
