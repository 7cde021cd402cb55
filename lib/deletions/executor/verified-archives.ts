import { AppError } from '@/lib/model/errors';
import { type ArchiveIndex, verifyArchive } from '@/lib/vault/archive-reader';

/**
 * Entries whose places are kept at once, half a kilobyte each; the file that is asked for is kept, however many it has.
 */
const MAX_ENTRIES = 80_000;

/**
 * Archives that were authenticated from the first byte to the last in this run. Files are only
 * read: one may still have its writer. What a crash cut off at the end does not count; whether an element is missing,
 * the end of each key tells.
 */
export class VerifiedArchives {
  private readonly known = new Map<string, Promise<ArchiveIndex>>();
  private readonly ends = new Map<string, number | undefined>();

  constructor(
    private readonly deletionId: string,
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** `upTo`: bytes of it that count; absent = all. */
  async get(file: string, upTo?: number): Promise<ArchiveIndex> {
    const found = this.known.get(file);
    if (found && this.ends.get(file) === upTo) {
      // The last asked for is the last to go.
      this.known.delete(file);
      this.known.set(file, found);
      return found;
    }
    const verified = verifyArchive(file, this.deletionId, { tornTail: true, upTo });
    this.known.delete(file);
    this.known.set(file, verified);
    this.ends.set(file, upTo);
    // What is damaged stays so: many keys may ask for it. Anything else may pass.
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

  /** It has grown since. */
  forget(file: string): void {
    this.known.delete(file);
  }
}
