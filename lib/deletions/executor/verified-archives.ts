import { type ArchiveIndex, verifyArchive } from '@/lib/access/vault/archive-reader';
import { AppError } from '@/lib/model/errors';

/**
 * How many entries of archive indexes are cached, half a kilobyte each. The file that was requested last is always
 * kept, however many entries it has.
 */
const MAX_CACHED_ENTRIES = 80_000;

/**
 * Archives that were authenticated from the first byte to the last in this run. Files are only read, because one may
 * still have its writer. A record that a crash cut off at the end does not count; the end record of each key shows
 * whether elements are missing.
 */
export class VerifiedArchives {
  /** The index of each file; the file that was requested last is at the end. */
  private readonly indexes = new Map<string, Promise<ArchiveIndex>>();
  /** How many bytes of each file were verified; undefined = all. */
  private readonly verifiedBytes = new Map<string, number | undefined>();

  constructor(
    private readonly deletionId: string,
    private readonly maxEntries = MAX_CACHED_ENTRIES,
  ) {}

  /** Returns the index of a verified archive. `upTo`: how many of its bytes count; undefined = all. */
  async getIndex(file: string, upTo?: number): Promise<ArchiveIndex> {
    const found = this.indexes.get(file);
    if (found && this.verifiedBytes.get(file) === upTo) {
      // The file that was requested last is the last to be dropped.
      this.indexes.delete(file);
      this.indexes.set(file, found);
      return found;
    }
    const verified = verifyArchive(file, this.deletionId, { tornTail: true, upTo });
    this.indexes.delete(file);
    this.indexes.set(file, verified);
    this.verifiedBytes.set(file, upTo);
    // A damaged file stays damaged, and many keys may need it, so that answer is kept. Other errors may pass.
    verified.catch((error) => {
      if (!(error instanceof AppError)) this.indexes.delete(file);
    });
    const { entries } = await verified;
    await this.dropOldIndexes(file, entries);
    return verified;
  }

  private async dropOldIndexes(file: string, entries: number): Promise<void> {
    let keptEntries = entries;
    for (const [other, verified] of [...this.indexes].reverse()) {
      if (other === file) continue;
      keptEntries += await verified.then(
        (index) => index.entries,
        () => 0,
      );
      if (keptEntries > this.maxEntries) this.indexes.delete(other);
    }
  }

  /** Drops the index of a file that has grown since. */
  forget(file: string): void {
    this.indexes.delete(file);
  }
}
