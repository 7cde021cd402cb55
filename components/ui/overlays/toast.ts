import type { ExternalToast } from 'sonner';

type Kind = 'success' | 'error';
type Show = (kind: Kind, title: string, more?: ExternalToast) => void;

const waiting: Parameters<Show>[] = [];
let show: Show | null = null;
let wake: (() => void) | null = null;

/** Messages that go by themselves. What draws them (`Toaster`) is loaded with the first. */
export const toast = {
  success: (title: string, more?: ExternalToast) => hand('success', title, more),
  error: (title: string, more?: ExternalToast) => hand('error', title, more),
};

function hand(...message: Parameters<Show>): void {
  if (show === null) {
    waiting.push(message);
    wake?.();
  } else show(...message);
}

/** Calls back with the first message, at once if it came before. Returns how to stop. */
export function onFirstToast(callback: () => void): () => void {
  wake = callback;
  if (waiting.length > 0) callback();
  return () => {
    wake = null;
  };
}

/** Whoever draws them is there: what has waited is shown. */
export function drawToasts(by: Show): () => void {
  show = by;
  for (const message of waiting.splice(0)) by(...message);
  return () => {
    show = null;
  };
}
