import path from 'node:path';
import { getProcessWide } from '@/lib/runtime/process-wide';
import type { StoredFile } from './contents';
import { downloadFile } from './download-file';
import type { ObjectStore } from './objects/object-store';

interface Download {
  /** Bytes received so far. */
  done: number;
  listeners: Set<(bytes: number) => void>;
  ended: Promise<void>;
}
const getDownloads = () => getProcessWide('snapshot-downloads', () => new Map<string, Download>());

/**
 * `downloadFile`, shared by all callers in this process that need the same file now: one may need a few files of a
 * snapshot, another all of them. A caller that joins later also learns about the bytes received before. Errors: those
 * of `downloadFile`, for each caller.
 */
export async function downloadOnce(
  store: ObjectStore,
  id: string,
  dir: string,
  file: StoredFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const key = `${path.join(dir, file.path)} ${file.sha256}`;
  let download = getDownloads().get(key);
  if (download === undefined) {
    const mine: Download = { done: 0, listeners: new Set(), ended: Promise.resolve() };
    const count = (bytes: number) => {
      mine.done += bytes;
      for (const listener of mine.listeners) listener(bytes);
    };
    mine.ended = downloadFile(store, id, dir, file, count).finally(() => getDownloads().delete(key));
    getDownloads().set(key, mine);
    download = mine;
  }
  onBytes(download.done);
  download.listeners.add(onBytes);
  try {
    await download.ended;
  } finally {
    download.listeners.delete(onBytes);
  }
}
