import { AppError } from '@/lib/model/errors';
import { type ArchiveIndex, verifyArchive } from '@/lib/vault/archive-reader';

/** Files whose index is kept at once; the small keys of a run share few. */
const MOST = 4;

/**
 * Archives that were authenticated from the first byte to the last in this run. Files are only
 * read: one may still have its writer. What a crash cut off at the end does not count; whether an element is missing, the
 * end of each key tells.
 */
export class VerifiedArchives {
  private readonly known = new Map<string, Promise<ArchiveIndex>>();

  constructor(private readonly deletionId: string) {}

  get(file: string): Promise<ArchiveIndex> {
    const found = this.known.get(file);
    if (found) return found;
    const verified = verifyArchive(file, this.deletionId, { tornTail: true });
    this.known.set(file, verified);
    // What is damaged stays so: many keys may ask for it. Anything else may pass.
    verified.catch((error) => {
      if (!(error instanceof AppError)) this.known.delete(file);
    });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST) break;
      this.known.delete(oldest);
    }
    return verified;
  }

  /** It has grown since. */
  forget(file: string): void {
    this.known.delete(file);
  }
}
