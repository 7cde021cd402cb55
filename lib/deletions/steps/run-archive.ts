import { generateArchiveName } from '@/lib/access/vault/archive-folder';
import { type ArchiveWriter, openArchiveWriter } from '@/lib/access/vault/archive-writer';

/** Large enough for few files; small enough to find one key quickly and to index few keys during an undo. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** The archive that the small keys of one run share; a new file is begun when the last one has grown large. */
export class RunArchive {
  /** How many bytes of the current file are on the disk. */
  bytes = 0;
  private current: { writer: ArchiveWriter; file: string } | null = null;

  constructor(private readonly deletionId: string) {}

  /** Returns the file that the next keys are written to. */
  async openFile(): Promise<{ writer: ArchiveWriter; file: string }> {
    if (this.current && this.bytes > MAX_FILE_BYTES) await this.close();
    if (!this.current) {
      const file = generateArchiveName(this.deletionId, 'small');
      this.current = { file, writer: await openArchiveWriter({ deletionId: this.deletionId, file }) };
      this.bytes = 0;
    }
    return this.current;
  }

  async sync(): Promise<void> {
    if (this.current) this.bytes = (await this.current.writer.sync()).bytes;
  }

  async close(): Promise<void> {
    const closing = this.current;
    this.current = null;
    if (!closing) return;
    try {
      await closing.writer.seal();
    } finally {
      await closing.writer.close();
    }
  }

  /** Closes the file without its last record: after a failure the file stays as it is on the disk. */
  async abandon(): Promise<void> {
    const closing = this.current;
    this.current = null;
    await closing?.writer.close().catch(() => {});
  }
}
