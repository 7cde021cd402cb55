import type { ExternalToast } from 'sonner';

type Kind = 'success' | 'error';
type ShowMessage = (kind: Kind, title: string, more?: ExternalToast) => void;

/** Messages that nothing could draw yet. */
const waiting: Parameters<ShowMessage>[] = [];
/** Draws a message; null: the component that draws them is not loaded yet. */
let show: ShowMessage | null = null;
/** Called at the first message. */
let onFirst: (() => void) | null = null;

/**
 * Shows messages that disappear by themselves. The component that draws them (`Toaster`) is loaded with the first
 * message.
 */
export const toast = {
  success: (title: string, more?: ExternalToast) => showOrKeep('success', title, more),
  error: (title: string, more?: ExternalToast) => showOrKeep('error', title, more),
};

function showOrKeep(...message: Parameters<ShowMessage>): void {
  if (show === null) {
    waiting.push(message);
    onFirst?.();
  } else show(...message);
}

/** Calls back at the first message; at once, if there was one already. Returns a function that ends this. */
export function onFirstToast(callback: () => void): () => void {
  onFirst = callback;
  if (waiting.length > 0) callback();
  return () => {
    onFirst = null;
  };
}

/** Registers the component that draws messages and shows those that have waited. Returns a function that ends this. */
export function drawToasts(draw: ShowMessage): () => void {
  show = draw;
  for (const message of waiting.splice(0)) draw(...message);
  return () => {
    show = null;
  };
}
