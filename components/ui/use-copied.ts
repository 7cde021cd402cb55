import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

/**
 * Copies a text; `done` for a moment after it. Where the browser has no clipboard: `onRefused`, the text stays
 * selectable.
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

/** Whether a text could be copied. Browsers have no clipboard at all without https or localhost. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
