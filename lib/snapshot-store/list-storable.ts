import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { isStorable } from './contents';

/** What is made beside the keys, with the file that is written last of it. */
const PREPARED: [RegExp, string][] = [
  [/^rollup-\d+$/, 'rollup.json'],
  [/^rules1-[0-9a-f]{16}$/, 'meta.json'],
];
/** `file`: as in the list. What is made beside the keys may be replaced by another at any time. */
export const isPrepared = (file: string): boolean =>
  PREPARED.some(([pattern]) => pattern.test(file.split(path.sep, 1)[0] ?? ''));

/** The files of a sealed snapshot that go into the store, its description first. */
export async function listStorable(dir: string, { files }: SnapshotManifest): Promise<string[]> {
  const names = await readdir(dir, { withFileTypes: true });
  const found = ['snapshot.json', ...files, ...BESIDE.filter((file) => names.some(({ name }) => name === file))];
  for (const { name } of names.filter((entry) => entry.isDirectory())) {
    const last = PREPARED.find(([pattern]) => pattern.test(name))?.[1];
    if (last === undefined || !(await isThere(path.join(dir, name, last)))) continue;
    const inside = await readdir(path.join(dir, name), { recursive: true, withFileTypes: true });
    for (const entry of inside)
      if (entry.isFile()) found.push(path.relative(dir, path.join(entry.parentPath, entry.name)));
  }
  return found.filter(isStorable);
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
