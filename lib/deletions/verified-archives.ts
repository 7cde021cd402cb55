import { type ArchiveIndex, verifyArchive } from '@/lib/vault/archive-reader';
import { openArchiveWriter } from '@/lib/vault/archive-writer';

/** Files whose index is kept at once; the small keys of a run share few. */
const MOST = 4;

/**
 * Archives that were authenticated from the first byte to the last in this run. A file that a crash cut off in the
 * middle of a write is first closed at its last good record; whether an element is missing, the end of each key tells.
 */
export class VerifiedArchives {
  private readonly known = new Map<string, Promise<ArchiveIndex>>();

  constructor(private readonly deletionId: string) {}

  get(file: string): Promise<ArchiveIndex> {
    const found = this.known.get(file);
    if (found) return found;
    const verified = this.verify(file);
    this.known.set(file, verified);
    verified.catch(() => this.known.delete(file));
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST) break;
      this.known.delete(oldest);
    }
    return verified;
  }

  private async verify(file: string): Promise<ArchiveIndex> {
    const { deletionId } = this;
    const writer = await openArchiveWriter({ deletionId, file });
    await writer.close();
    return verifyArchive(file, deletionId);
  }

  /** It has grown since. */
  forget(file: string): void {
    this.known.delete(file);
  }
}
