import path from 'node:path';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import { processWide } from '@/lib/process-wide';

/** What is being prepared now, by the snapshot's folder: for pages that answer meanwhile, slower. */
const all = () => processWide('preparations', () => new Map<string, Preparation>());

/** null: nothing, as far as this process knows. */
export const preparationOf = (dir: string): Preparation | null => all().get(path.resolve(dir)) ?? null;

export function notePreparation(dir: string, preparation: Preparation | null): void {
  if (preparation === null) all().delete(path.resolve(dir));
  else all().set(path.resolve(dir), preparation);
}
