import { useEffect, useState } from 'react';

/** How long the button says that the text was copied. */
const SHOWN_MS = 1500;

/**
 * Copies a text; `done` is true for a moment after that. If the browser has no clipboard, `onRefused` is called; the
 * text can still be selected.
 */
export function useCopied(onRefused?: () => void): { done: boolean; copy: (text: string) => Promise<void> } {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (text: string) => {
    const copied = await putOnClipboard(text);
    setDone(copied);
    if (!copied) onRefused?.();
  };
  return { done, copy };
}

/** Returns whether the text was copied. Without https or localhost browsers have no clipboard at all. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
