import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A file or a folder, on disk when this returns; for the few places that must not give up their turn. */
export function fsyncNow(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
