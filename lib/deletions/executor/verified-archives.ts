import { type ArchiveIndex, verifyArchive } from '@/lib/access/vault/archive-reader';
import { AppError } from '@/lib/model/errors';

/**
 * How many entries of archive indexes are cached, half a kilobyte each. The file that was requested last is always
 * kept, however many entries it has.
 */
const MAX_ENTRIES = 80_000;

/**
 * Archives that were authenticated from the first byte to the last in this run. Files are only read, because one may
 * still have its writer. A record that a crash cut off at the end does not count; the end record of each key shows
 * whether elements are missing.
 */
export class VerifiedArchives {
  /** The key is the file; the one that was requested last is at the end. */
  private readonly known = new Map<string, Promise<ArchiveIndex>>();
  /** How many bytes of each file were verified; undefined = all. */
  private readonly ends = new Map<string, number | undefined>();

  constructor(
    private readonly deletionId: string,
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** Returns the index of a verified archive. `upTo`: how many of its bytes count; undefined = all. */
  async get(file: string, upTo?: number): Promise<ArchiveIndex> {
    const found = this.known.get(file);
    if (found && this.ends.get(file) === upTo) {
      // The file that was requested last is the last to be dropped.
      this.known.delete(file);
      this.known.set(file, found);
      return found;
    }
    const verified = verifyArchive(file, this.deletionId, { tornTail: true, upTo });
    this.known.delete(file);
    this.known.set(file, verified);
    this.ends.set(file, upTo);
    // A damaged file stays damaged, and many keys may need it, so that answer is kept. Other errors may pass.
    verified.catch((error) => {
      if (!(error instanceof AppError)) this.known.delete(file);
    });
    const { entries } = await verified;
    await this.makeRoom(file, entries);
    return verified;
  }

  private async makeRoom(file: string, entries: number): Promise<void> {
    let kept = entries;
    for (const [other, verified] of [...this.known].reverse()) {
      if (other === file) continue;
      kept += await verified.then(
        (index) => index.entries,
        () => 0,
      );
      if (kept > this.maxEntries) this.known.delete(other);
    }
  }

  /** Drops the index of a file that has grown since. */
  forget(file: string): void {
    this.known.delete(file);
  }
}
