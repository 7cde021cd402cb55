import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

/**
 * Copies a text; `done` for a moment after it. Browsers give no clipboard without https or localhost: `onRefused`, the
 * text stays selectable.
 */
export function useCopied(onRefused?: () => void): { done: boolean; copy: (text: string) => Promise<void> } {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      setDone(false);
      onRefused?.();
    }
  };
  return { done, copy };
}
