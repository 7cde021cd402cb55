import type { ExternalToast } from 'sonner';

type Kind = 'success' | 'error';
type Show = (kind: Kind, title: string, more?: ExternalToast) => void;

const waiting: Parameters<Show>[] = [];
let show: Show | null = null;
let wake: (() => void) | null = null;

/**
 * Shows messages that disappear by themselves. The component that draws them (`Toaster`) is loaded with the first
 * message.
 */
export const toast = {
  success: (title: string, more?: ExternalToast) => handOver('success', title, more),
  error: (title: string, more?: ExternalToast) => handOver('error', title, more),
};

function handOver(...message: Parameters<Show>): void {
  if (show === null) {
    waiting.push(message);
    wake?.();
  } else show(...message);
}

/** Calls back at the first message, at once if it came before. Returns a function that stops this. */
export function onFirstToast(callback: () => void): () => void {
  wake = callback;
  if (waiting.length > 0) callback();
  return () => {
    wake = null;
  };
}

/** Registers the component that draws messages and shows those that have waited. Returns a function that ends this. */
export function drawToasts(by: Show): () => void {
  show = by;
  for (const message of waiting.splice(0)) by(...message);
  return () => {
    show = null;
  };
}
