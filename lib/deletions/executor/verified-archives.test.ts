import { readFileSync, truncateSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateArchiveName, resolveArchivePath } from '@/lib/access/vault/archive-folder';
import { openArchiveWriter } from '@/lib/access/vault/archive-writer';
import { temporaryData } from '@/test/temporary-data';
import { VerifiedArchives } from './verified-archives';

it('reads an archive that a crash cut off and leaves every byte of it alone', async () => {
  const data = temporaryData();
  try {
    const file = generateArchiveName('job1', 0);
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    const key = { name: Buffer.from('k'), db: 0, type: 'set' as const, encoding: null, length: 1, expireAt: null };
    writer.writeKey({ ...key, seq: 0, archivedAt: 1 });
    await writer.sync();
    writer.writeChunk(0, { type: 'set', start: 0, elements: 1, values: [Buffer.from('m')] });
    const { bytes } = await writer.sync();
    await writer.close();
    const { path } = resolveArchivePath(file);
    truncateSync(path, bytes - 5);
    const before = readFileSync(path);
    const index = await new VerifiedArchives('job1').getIndex(file);
    expect(index).toMatchObject({ records: 1, sealed: false });
    expect(readFileSync(path).equals(before)).toBe(true);
  } finally {
    await data.remove();
  }
});

it('holds the places of a bounded number of entries, those of the last archives asked for', async () => {
  const data = temporaryData();
  try {
    const files = Array.from({ length: 5 }, (_, file) => generateArchiveName('job1', file));
    for (const file of files) {
      const writer = await openArchiveWriter({ deletionId: 'job1', file });
      for (let seq = 0; seq < 100; seq++) {
        const key = { name: Buffer.from('k'), db: 0, type: 'set' as const, encoding: null, length: 1, expireAt: null };
        writer.writeKey({ ...key, seq, archivedAt: 1 });
        writer.writeEnd({ seq, elements: 0 });
      }
      await writer.seal();
      await writer.close();
    }
    const archives = new VerifiedArchives('job1', 450);
    const first: unknown[] = [];
    for (const file of files) first.push(await archives.getIndex(file));
    const again: boolean[] = [];
    for (const file of files.toReversed()) again.push((await archives.getIndex(file)) === first[files.indexOf(file)]);
    // Two files of 201 entries fit into the cache.
    expect(again).toEqual([true, true, false, false, false]);
  } finally {
    await data.remove();
  }
});
