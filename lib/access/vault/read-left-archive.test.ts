import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ElementChunk } from '@/lib/model/deletions/archive';
import { temporaryData } from '@/test/temporary-data';
import { generateArchiveName, resolveArchivePath } from './archive-folder';
import { verifyArchive } from './archive-reader';
import { openArchiveWriter } from './archive-writer';
import { readLeftArchive } from './read-left-archive';

let data: ReturnType<typeof temporaryData>;
let file: string;
beforeEach(() => {
  data = temporaryData();
  file = generateArchiveName('job1', 0);
});
afterEach(() => data.remove());

const key = { seq: 0, name: Buffer.from('k'), db: 0, type: 'set' as const, encoding: null, length: 9, expireAt: null };
const member = (n: number): ElementChunk => ({ type: 'set', start: 0, elements: 1, values: [Buffer.from(`m${n}`)] });
const left = (synced: number, upTo?: number) => readLeftArchive(file, 'job1', { synced, upTo });

async function begun() {
  const writer = await openArchiveWriter({ deletionId: 'job1', file });
  writer.writeKey({ ...key, archivedAt: 1 });
  writer.writeChunk(0, member(1));
  return { writer, ...(await writer.sync()) };
}

it('counts what is good when it is read, and nothing that its run writes behind that', async () => {
  const { writer, bytes } = await begun();
  expect(await left(bytes)).toMatchObject({ bytes });
  writer.writeChunk(0, member(2));
  writer.writeEnd({ seq: 0, elements: 2 });
  await writer.seal();
  await writer.close();
  const found = (await verifyArchive(file, 'job1', { upTo: bytes })).keys.get(0);
  expect(found).toMatchObject({ end: null, chunks: [expect.anything()] });
  expect(await left(bytes, bytes)).toMatchObject({ bytes, sealed: false });
  // The store does not know that the archive was completed.
  await expect(left(bytes)).rejects.toMatchObject({ code: 'archive_damaged', details: { sealed: true } });
});

it('is damaged, or gone, where fewer bytes are good than a sync has answered for', async () => {
  const { writer, bytes } = await begun();
  await writer.close();
  truncateSync(resolveArchivePath(file).path, bytes - 3);
  await expect(left(bytes)).rejects.toMatchObject({ code: 'archive_damaged' });
  rmSync(resolveArchivePath(file).path);
  await expect(left(bytes)).rejects.toMatchObject({ code: 'not_found' });
});

it('is nothing where it was never made, not even its header, or no sync has ended', async () => {
  const { writer } = await begun();
  await writer.close();
  expect(await left(0, 0)).toBeNull();
  writeFileSync(resolveArchivePath(file).path, 'CLN');
  expect(await left(0)).toBeNull();
  rmSync(resolveArchivePath(file).path);
  expect(await left(0)).toBeNull();
});
