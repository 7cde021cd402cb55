import path from 'node:path';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import { processWide } from '@/lib/process-wide';

/** What is being prepared now, by the snapshot's folder: for pages that answer meanwhile, slower. */
const all = () => processWide('preparations', () => new Map<string, Preparation>());

/** null: nothing, as far as this process knows. */
export const preparationOf = (dir: string): Preparation | null => all().get(path.resolve(dir)) ?? null;

/** For as long as it takes; `act` is given how to say how far it is. */
export async function whilePreparing<T>(
  dir: string,
  task: Preparation['task'],
  act: (note: (progress: { done: number; total: number }) => void) => Promise<T>,
): Promise<T> {
  const note = (share: number | null) => notePreparation(dir, { task, waiting: false, share });
  note(null);
  try {
    return await act(({ done, total }) => note(total > 0 ? done / total : null));
  } finally {
    notePreparation(dir, null);
  }
}

export function notePreparation(dir: string, preparation: Preparation | null): void {
  if (preparation === null) all().delete(path.resolve(dir));
  else all().set(path.resolve(dir), preparation);
}
