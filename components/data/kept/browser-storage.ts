/** Name of the event after a change in this tab. */
const CHANGED = 'colonnade:stored';
/** If the browser stores nothing (private mode, blocked storage), a text lasts as long as the page. */
const unstored = new Map<string, string>();

/** Reads a text that this browser keeps; '' if there is none. */
export function readStored(name: string): string {
  try {
    return unstored.get(name) ?? localStorage.getItem(name) ?? '';
  } catch {
    return unstored.get(name) ?? '';
  }
}

/** Keeps a text in this browser; '' removes it. */
export function writeStored(name: string, text: string): void {
  unstored.delete(name);
  try {
    if (text === '') localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    unstored.set(name, text);
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Lists the names of kept texts that begin with `beginning`. */
export function listStored(beginning: string): string[] {
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage);
  } catch {
    // Storage is blocked: texts kept on this page are still known.
  }
  return [...new Set([...stored, ...unstored.keys()])].filter((name) => name.startsWith(beginning));
}

/** Calls `onChange` after every change, in this tab or another one. */
export function subscribeToStored(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  window.addEventListener(CHANGED, onChange);
  return () => {
    window.removeEventListener('storage', onChange);
    window.removeEventListener(CHANGED, onChange);
  };
}
