import { generateArchiveName } from '@/lib/access/vault/archive-folder';
import { type ArchiveWriter, openArchiveWriter } from '@/lib/access/vault/archive-writer';

/** Large enough for few files; small enough to find one key quickly and to index few keys during an undo. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The archive that the small keys of one run share; a new file is begun when the last one has grown large. */
export class RunArchive {
  bytes = 0;
  private opened: { writer: ArchiveWriter; file: string } | null = null;

  constructor(private readonly deletionId: string) {}

  async open(): Promise<{ writer: ArchiveWriter; file: string }> {
    if (this.opened && this.bytes > MAX_BYTES) await this.close();
    if (!this.opened) {
      const file = generateArchiveName(this.deletionId, 'small');
      this.opened = { file, writer: await openArchiveWriter({ deletionId: this.deletionId, file }) };
      this.bytes = 0;
    }
    return this.opened;
  }

  async sync(): Promise<void> {
    if (this.opened) this.bytes = (await this.opened.writer.sync()).bytes;
  }

  async close(): Promise<void> {
    const open = this.opened;
    this.opened = null;
    if (!open) return;
    try {
      await open.writer.seal();
    } finally {
      await open.writer.close();
    }
  }

  /** Closes the file without its last record: after a failure the file stays as it is on the disk. */
  async abandon(): Promise<void> {
    const open = this.opened;
    this.opened = null;
    await open?.writer.close().catch(() => {});
  }
}
