import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import { temporaryData } from '@/test/temporary-data';
import { readChunks } from './archive-elements';
import { generateArchiveName, listArchives, removeArchives, resolveArchivePath } from './archive-folder';
import { verifyArchive } from './archive-reader';
import { openArchiveWriter } from './archive-writer';
import { exportKey } from './export-archived-key';

const CANARY = 'canary-4711-secret';
let data: ReturnType<typeof temporaryData>;
let file: string;
beforeEach(() => {
  data = temporaryData();
  file = generateArchiveName('job1', 0);
});
afterEach(() => data.remove());

const key: ArchivedKey = {
  seq: 0,
  name: Buffer.from([0xff, 0x3a, 0x61]),
  db: 3,
  type: 'hash',
  encoding: 'hashtable',
  length: 2,
  expireAt: 1_900_000_000_000,
  archivedAt: 1,
};
const chunk = (n: number, values = [`f${n}`, CANARY]): ElementChunk => ({
  type: 'hash',
  start: 0,
  elements: 1,
  values: values.map((value) => Buffer.from(value)),
});
async function write(chunks: ElementChunk[], sealed = true, into = file) {
  const writer = await openArchiveWriter({ deletionId: 'job1', file: into });
  // Each entry is synced on its own, so it has a record of its own.
  writer.writeKey(key);
  await writer.sync();
  for (const one of chunks) {
    writer.writeChunk(0, one);
    await writer.sync();
  }
  writer.writeEnd({ seq: 0, elements: chunks.length });
  await writer.sync();
  if (sealed) await writer.seal();
  await writer.close();
}
async function read(from = file) {
  const index = await verifyArchive(from, 'job1');
  const chunks: ElementChunk[] = [];
  for await (const one of readChunks(from, index, 0, { sorted: false })) chunks.push(one);
  return { index, chunks };
}
const bytes = (from = file) => readFileSync(resolveArchivePath(from).path);
const damaged = expect.objectContaining({ code: 'archive_damaged' });

describe('an archive', () => {
  it('gives back what it was given, for its owner only, and tells nothing', async () => {
    const chunks = [chunk(1), { ...chunk(2), expiries: [17, null] }, chunk(3, ['', '\u0000bin'])];
    await write(chunks);
    const found = await read();
    expect(found.chunks).toEqual(chunks);
    expect(found.index).toMatchObject({ sealed: true });
    expect(found.index.keys.get(0)).toMatchObject({ key, end: { seq: 0, elements: 3 } });
    expect(statSync(resolveArchivePath(file).path).mode & 0o777).toBe(0o600);
    for (const secret of [CANARY, 'hashtable', key.name.toString('base64')])
      expect(bytes().includes(secret)).toBe(false);
  });

  it('is refused whole when any byte of it was changed', async () => {
    await write([chunk(1), chunk(2)]);
    const whole = bytes();
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x20;
      writeFileSync(resolveArchivePath(file).path, changed);
      await expect(read(), `byte ${at}`).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(archive_damaged|vault_key)$/) }),
      );
    }
  });

  it('is refused when it ends within a record; at the end of one, what is missing shows', async () => {
    await write([chunk(1), chunk(2)]);
    const whole = bytes();
    let complete = 0;
    for (let size = 0; size < whole.length; size++) {
      writeFileSync(resolveArchivePath(file).path, whole.subarray(0, size));
      const found = await read().catch((error) => error);
      if (found instanceof Error) expect(found).toEqual(damaged);
      else {
        expect(found.index.sealed).toBe(false);
        complete++;
      }
    }
    // A cut file is readable only if the cut is after the header, the key, one of the two chunks, or the end.
    expect(complete).toBe(5);
  });

  it('is refused with records in another order, left out, twice, or from another file', async () => {
    await write([chunk(1), chunk(2)]);
    const other = generateArchiveName('job1', 1);
    await write([chunk(1), chunk(2)], true, other);
    const split = (of: Buffer) => {
      const parts: Buffer[] = [of.subarray(0, 32)];
      for (let at = 32; at < of.length; ) {
        const size = 4 + of.readUInt32BE(at) + 12 + 16;
        parts.push(of.subarray(at, at + size));
        at += size;
      }
      return parts;
    };
    const [head, a, b, c, ...rest] = split(bytes()) as [Buffer, Buffer, Buffer, Buffer, ...Buffer[]];
    const foreign = split(bytes(other))[2] as Buffer;
    for (const parts of [
      [head, a, c, b, ...rest],
      [head, a, c, ...rest],
      [head, a, b, b, c, ...rest],
      [head, a, foreign, c, ...rest],
    ]) {
      writeFileSync(resolveArchivePath(file).path, Buffer.concat(parts));
      await expect(read()).rejects.toThrow(damaged);
    }
  });

  it('opens under no other deletion', async () => {
    await write([chunk(1)]);
    await expect(verifyArchive(file, 'job2')).rejects.toThrow(damaged);
  });

  it('that a crash cut off goes on where its last good record ends, and keeps what it could not read', async () => {
    await write([chunk(1), chunk(2)], false);
    truncateSync(resolveArchivePath(file).path, bytes().length - 7);
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    writer.writeChunk(0, chunk(9));
    writer.writeEnd({ seq: 0, elements: 3 });
    await writer.seal();
    await writer.close();
    const { chunks, index } = await read();
    expect(chunks.map(({ values }) => String(values[0]))).toEqual(['f1', 'f2', 'f9']);
    expect(index.sealed).toBe(true);
  });

  it('is dead after its disk failed, and says why', async () => {
    const writer = await openArchiveWriter({ deletionId: 'job1', file });
    writer.writeKey(key);
    // The file is closed under the writer: the next write fails as on a broken disk.
    await (writer as unknown as { handle: { close(): Promise<void> } }).handle.close();
    await expect(writer.sync()).rejects.toMatchObject({ code: 'data_folder' });
    await expect(writer.sync()).rejects.toMatchObject({ code: 'data_folder' });
    expect(() => writer.writeKey(key)).toThrow(expect.objectContaining({ code: 'data_folder' }));
  });

  it('has no other name than ours, and goes with its deletion', async () => {
    for (const name of ['../vault.key', 'job1/../../x.arc', '/etc/passwd', 'job1/x'])
      await expect(openArchiveWriter({ deletionId: 'job1', file: name })).rejects.toMatchObject({
        code: 'bad_request',
      });
    await write([chunk(1)]);
    expect(await listArchives('job1')).toMatchObject([{ file }]);
    await removeArchives('job1');
    expect(await listArchives('job1')).toEqual([]);
  });

  it('leaves as JSON Lines with every byte', async () => {
    await write([chunk(1, ['field', 'text']), chunk(2, ['bin', '\u0000'])]);
    const index = await verifyArchive(file, 'job1');
    const lines: unknown[] = [];
    for await (const line of exportKey(file, index, 0)) lines.push(JSON.parse(line));
    expect(lines).toMatchObject([
      { key: { base64: '/zph' }, name: { base64: '/zph' }, type: 'hash', complete: true },
      { field: 'field', value: 'text' },
      { field: 'bin', value: '\u0000' },
    ]);
  });
});
