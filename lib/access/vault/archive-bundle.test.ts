import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ElementChunk } from '@/lib/model/deletions/archive';
import { temporaryData } from '@/test/temporary-data';
import { readChunks, readKeys } from './archive-elements';
import { generateArchiveName, resolveArchivePath } from './archive-folder';
import { verifyArchive } from './archive-reader';
import { openArchiveWriter } from './archive-writer';

let data: ReturnType<typeof temporaryData>;
let file: string;
beforeEach(() => {
  data = temporaryData();
  file = generateArchiveName('job1', 'small');
});
afterEach(() => data.remove());

const makeChunk = (seq: number, value: string | Buffer = `value ${seq}`): ElementChunk => ({
  type: 'set',
  start: 0,
  elements: 1,
  values: [Buffer.from(value)],
});
const makeKey = (seq: number) => ({
  seq,
  name: Buffer.from(`key:${seq}`),
  db: 0,
  type: 'set' as const,
  encoding: 'listpack',
  length: 1,
  expireAt: null,
  archivedAt: 1,
});

async function write(keys: number, large: (seq: number) => Buffer | null = () => null) {
  const writer = await openArchiveWriter({ deletionId: 'job1', file });
  for (let seq = 0; seq < keys; seq++) {
    writer.writeKey(makeKey(seq));
    writer.writeChunk(seq, makeChunk(seq, large(seq) ?? undefined));
    writer.writeEnd({ seq, elements: 1 });
  }
  await writer.seal();
  await writer.close();
}

describe('small entries of an archive', () => {
  it('share records, each of which is read and authenticated once for all its keys', async () => {
    await write(5000);
    const index = await verifyArchive(file, 'job1');
    expect(index).toMatchObject({ sealed: true, entries: 15_001 });
    // There are 15,001 entries of about 80 bytes, 64 KiB per record.
    expect(index.records).toBeLessThan(40);
    const wanted = [4999, 0, 17, 2500];
    const found = await readKeys(file, index, wanted);
    for (const seq of wanted) {
      expect(index.keys.get(seq)).toMatchObject({ key: makeKey(seq), end: { elements: 1 } });
      expect(found.get(seq)).toEqual([makeChunk(seq)]);
      for await (const chunk of readChunks(file, index, seq, { sorted: true })) expect(chunk).toEqual(makeChunk(seq));
    }
  });

  it('stand beside large ones, which have records of their own', async () => {
    const large = (seq: number) => (seq % 7 === 3 ? Buffer.alloc(200_000, seq) : null);
    await write(20, large);
    const index = await verifyArchive(file, 'job1');
    const found = await readKeys(
      file,
      index,
      [...index.keys.keys()].sort(() => 0.5),
    );
    for (let seq = 0; seq < 20; seq++) expect(found.get(seq)).toEqual([makeChunk(seq, large(seq) ?? undefined)]);
  });

  it('are refused all together when any byte of them was changed', { timeout: 30_000 }, async () => {
    await write(3);
    const whole = readFileSync(resolveArchivePath(file).path);
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x04;
      writeFileSync(resolveArchivePath(file).path, changed);
      await expect(verifyArchive(file, 'job1'), `byte ${at}`).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(archive_damaged|vault_key)$/) }),
      );
    }
  });

  it('that were synced are not cut off as the rest of a write, whatever was changed before them', {
    timeout: 30_000,
  }, async () => {
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    for (let seq = 0; seq < 6; seq++) {
      writer.writeKey(makeKey(seq));
      writer.writeChunk(seq, makeChunk(seq));
      writer.writeEnd({ seq, elements: 1 });
      // Each record has two keys.
      if (seq % 2 === 1) await writer.sync();
    }
    await writer.close();
    const whole = readFileSync(resolveArchivePath(file).path);
    const lastFrom = whole.length - Math.floor((whole.length - 32) / 3);
    for (let at = 32; at < lastFrom; at += 3) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x01;
      writeFileSync(resolveArchivePath(file).path, changed);
      await expect(openArchiveWriter({ deletionId: 'job1', file }), `byte ${at}`).rejects.toMatchObject({
        code: 'archive_damaged',
      });
    }
  });
});
