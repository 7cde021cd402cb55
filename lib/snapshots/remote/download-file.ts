import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { renameDurably } from '@/lib/runtime/files/fsync-and-rename';
import { toDiskError } from '@/lib/snapshots/folder/durable';
import { type StoredFile, toFileObjectName } from './contents';
import type { ObjectStore } from './objects/object-store';
import { readPieces } from './objects/store-failure';

/**
 * All attempts are made within about a second, because somebody waits for the snapshot; the next request starts again.
 */
const TRIES = 3;

/**
 * Downloads one file of a snapshot and checks it before it gets its name. `onBytes` gets the number of bytes of each
 * piece, and a negative number when an attempt failed. Errors: those of the store; `disk_full`.
 */
export async function downloadFile(
  store: ObjectStore,
  id: string,
  dir: string,
  file: StoredFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let counted = 0;
    try {
      return await download(store, id, dir, file, (bytes) => {
        counted += bytes;
        onBytes(bytes);
      });
    } catch (error) {
      onBytes(-counted);
      if (!(error instanceof AppError) || error.code !== 'snapshot_store_away' || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

async function download(
  store: ObjectStore,
  id: string,
  dir: string,
  file: StoredFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const target = path.join(dir, file.path);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const answer = await store.get(toFileObjectName(id, file));
  if (answer === null)
    throw new AppError('snapshot_unreadable', `The object store has lost ${file.path} of this snapshot.`, {});
  const temporary = `${target}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600).catch(async (error) => {
      throw await toDiskError(error, dir);
    });
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      for await (const piece of readPieces(answer)) {
        bytes += piece.byteLength;
        if (bytes > file.bytes) break;
        hash.update(piece);
        await handle.writeFile(piece).catch(async (error) => {
          throw await toDiskError(error, dir);
        });
        onBytes(piece.byteLength);
      }
      if (bytes !== file.bytes || hash.digest('hex') !== file.sha256)
        throw new AppError('snapshot_store_away', `${file.path} came damaged from the object store.`, {
          store: '',
          why: 'checksum',
        });
      await handle.sync();
    } finally {
      await handle.close();
      if (bytes > file.bytes) await answer.body?.cancel().catch(() => {});
    }
    // The next file may be the description, which makes the snapshot complete, so this file must have its name durably
    // before.
    await renameDurably(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
