import { readFileSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { archiveFile, archivePath } from '@/lib/vault/archive-folder';
import { openArchiveWriter } from '@/lib/vault/archive-writer';
import { temporaryData } from '@/test/temporary-data';
import { VerifiedArchives } from './verified-archives';

it('reads an archive that a crash cut off and leaves every byte of it alone', async () => {
  const data = temporaryData();
  try {
    const file = archiveFile('job1', 0);
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    const key = { name: Buffer.from('k'), db: 0, type: 'set' as const, encoding: null, length: 1, expireAt: null };
    writer.key({ ...key, seq: 0, archivedAt: 1 });
    writer.chunk(0, { type: 'set', start: 0, elements: 1, values: [Buffer.from('m')] });
    const { bytes } = await writer.sync();
    await writer.close();
    const { path } = archivePath(file);
    truncateSync(path, bytes - 5);
    const before = readFileSync(path);
    const index = await new VerifiedArchives('job1').get(file);
    expect(index).toMatchObject({ records: 1, sealed: false });
    expect(readFileSync(path).equals(before)).toBe(true);
  } finally {
    await data.remove();
  }
});
