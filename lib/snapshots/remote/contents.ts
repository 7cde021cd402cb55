import { z } from 'zod';
import { AppError } from '@/lib/model/errors';
import { isSnapshotId } from '@/lib/snapshots/folder/snapshot-folder';
import type { ObjectStore } from './objects/object-store';
import { toStoreError } from './objects/store-failure';

/**
 * Path of a file inside a snapshot's folder. Paths of the list become paths on the disk, so nothing else is allowed.
 */
const FILE = /^([a-z0-9-]{1,60}\/){0,2}[a-zA-Z0-9-]{1,80}\.(parquet|json)$/;

export const StoredFile = z.object({
  path: z.string().regex(FILE),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type StoredFile = z.infer<typeof StoredFile>;

/**
 * The list of a snapshot's files. It is written last, and a snapshot without a list does not exist. Object names
 * contain the hash of their content, so two processes that upload the same snapshot never overwrite each other's files,
 * and the list that is written last names complete ones.
 */
export const StoredContents = z.object({
  version: z.literal(1),
  id: z.string().refine(isSnapshotId),
  /** True: the list includes the roll-up and the findings, or they could not be made. */
  prepared: z.boolean(),
  uploadedAt: z.number(),
  files: z.array(StoredFile).max(10_000),
});
export type StoredContents = z.infer<typeof StoredContents>;

export const isStorable = (path: string): boolean => FILE.test(path);
export const toContentsName = (id: string): string => `${id}/contents.json`;
export const toFileObjectName = (id: string, { path, sha256 }: StoredFile): string =>
  `${id}/${path}.${sha256.slice(0, 32)}`;

/** Whether a file contains keys. These may be large; the files that pages need first are small. */
export const isRows = ({ path }: StoredFile): boolean => /^keys-\d+\.parquet$/.test(path);

/** Returns null if the store does not have the snapshot. Errors: those of the store; `snapshot_unreadable`. */
export async function readContents(
  store: ObjectStore,
  id: string,
  signal?: AbortSignal,
): Promise<StoredContents | null> {
  const answer = await store.get(toContentsName(id), signal);
  if (answer === null) return null;
  const text = await answer.text().catch((error) => {
    signal?.throwIfAborted();
    throw toStoreError(error);
  });
  try {
    const contents = StoredContents.parse(JSON.parse(text));
    if (contents.id !== id) throw new Error(`It is the list of ${contents.id}.`);
    return contents;
  } catch (error) {
    throw new AppError(
      'snapshot_unreadable',
      'The list of this snapshot in the object store is damaged.',
      {},
      { cause: error },
    );
  }
}
