import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ElementChunk } from '@/lib/model/deletions/archive';
import { temporaryData } from '@/test/temporary-data';
import { readChunks } from './archive-elements';
import { generateArchiveName, resolveArchivePath } from './archive-folder';
import { verifyArchive } from './archive-reader';
import { openArchiveWriter } from './archive-writer';

/** Only the rest of a write that was never reported as synced may be cut off. */
let data: ReturnType<typeof temporaryData>;
let file: string;
beforeEach(() => {
  data = temporaryData();
  file = generateArchiveName('job1', 0);
});
afterEach(() => data.remove());

const key = {
  seq: 0,
  name: Buffer.from('k'),
  db: 0,
  type: 'hash' as const,
  encoding: 'hashtable',
  length: 2,
  expireAt: null,
  archivedAt: 1,
};
const chunk = (n: number, value: string | Buffer = 'value'): ElementChunk => ({
  type: 'hash',
  start: 0,
  elements: 1,
  values: [Buffer.from(`f${n}`), Buffer.from(value)],
});
const damaged = expect.objectContaining({ code: 'archive_damaged' });
const path = () => resolveArchivePath(file).path;
const reopen = (synced?: number) =>
  openArchiveWriter({ deletionId: 'job1', file, ...(synced !== undefined && { synced }) });

async function begun(chunks: number): Promise<Buffer> {
  const writer = await reopen();
  // Each entry is synced on its own, so it has a record of its own.
  writer.writeKey(key);
  await writer.sync();
  for (let n = 0; n < chunks; n++) {
    writer.writeChunk(0, chunk(n));
    await writer.sync();
  }
  await writer.close();
  return readFileSync(path());
}
async function fields(): Promise<string[]> {
  const index = await verifyArchive(file, 'job1');
  const found: string[] = [];
  for await (const { values } of readChunks(file, index, 0, { sorted: false })) found.push(String(values[0]));
  return found;
}

describe('an archive without its seal', () => {
  it('is not taken up again, and not touched, when any byte before its last record was changed', {
    timeout: 30_000,
  }, async () => {
    const whole = await begun(4);
    const lastRecord = await begunLength(3);
    for (let at = 0; at < lastRecord; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x01;
      writeFileSync(path(), changed);
      await expect(reopen(), `byte ${at}`).rejects.toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(archive_damaged|vault_key)$/) }),
      );
      expect(readFileSync(path()).equals(changed)).toBe(true);
    }
  });

  /** Records of equal content have the same length in every file. */
  async function begunLength(chunks: number): Promise<number> {
    const kept = file;
    file = generateArchiveName('job1', 1);
    const { length } = await begun(chunks);
    file = kept;
    return length;
  }

  it('is refused when a whole sector of it is gone', async () => {
    const whole = await begun(400);
    whole.fill(0, 4096, 8192);
    writeFileSync(path(), whole);
    await expect(reopen()).rejects.toThrow(damaged);
    await expect(verifyArchive(file, 'job1', { tornTail: true })).rejects.toThrow(damaged);
  });

  it.each(['vectorset', 'array'] as const)('is refused when a good record of a %s follows the damage', async (type) => {
    await begun(1);
    const before = readFileSync(path()).length;
    const writer = await reopen();
    writer.writeChunk(0, { type, start: 0, elements: 1, values: [Buffer.from('dump')] });
    await writer.sync();
    await writer.close();
    const changed = readFileSync(path());
    changed[before - 1]! ^= 0x01;
    writeFileSync(path(), changed);
    await expect(reopen()).rejects.toThrow(damaged);
    expect(readFileSync(path()).equals(changed)).toBe(true);
  });

  // This test waits for the disk thousands of times.
  it('goes on wherever a crash cut it off', { timeout: 60_000 }, async () => {
    const whole = await begun(2);
    for (let size = 0; size < whole.length; size++) {
      writeFileSync(path(), whole.subarray(0, size));
      const writer = await reopen();
      writer.writeKey(key);
      writer.writeChunk(0, chunk(9));
      await writer.seal();
      await writer.close();
      expect((await fields()).at(-1), `cut at ${size}`).toBe('f9');
    }
  });

  it('is damaged, not torn, when it is good for less than a sync has answered for', async () => {
    const whole = await begun(2);
    truncateSync(path(), whole.length - 7);
    await expect(reopen(whole.length)).rejects.toThrow(damaged);
    truncateSync(path(), 10);
    await expect(reopen(whole.length)).rejects.toThrow(damaged);
    writeFileSync(path(), whole);
    await (await reopen(whole.length)).close();
  });

  it('loses nothing to somebody who reads it while it is written', async () => {
    const writer = await reopen();
    writer.writeKey(key);
    await writer.sync();
    let writing = true;
    let reads = 0;
    const reader = (async () => {
      for (; writing; reads++) await verifyArchive(file, 'job1', { tornTail: true });
    })();
    for (let n = 0; n < 150; n++) {
      writer.writeChunk(0, chunk(n, Buffer.alloc(20_000, n)));
      await writer.sync();
    }
    await writer.seal();
    await writer.close();
    writing = false;
    await reader;
    expect(reads).toBeGreaterThan(1);
    expect(await fields()).toHaveLength(150);
    expect(readdirSync(resolveArchivePath(file).folder)).toHaveLength(1);
  });
});

describe('an archive', () => {
  it('gives back one element of 70 MiB', async () => {
    const large = Buffer.alloc(70 * 1024 * 1024, 7);
    const writer = await reopen();
    writer.writeKey(key);
    writer.writeChunk(0, chunk(0, large));
    await writer.seal();
    await writer.close();
    const index = await verifyArchive(file, 'job1');
    for await (const { values } of readChunks(file, index, 0, { sorted: false }))
      expect(values[1]?.equals(large)).toBe(true);
  }, 30_000);

  it('says that the disk is full, from its first byte or later, and is dead then', async () => {
    await begun(1);
    const later = await reopen();
    const inside = later as unknown as { handle: Awaited<ReturnType<typeof open>> };
    await inside.handle.close();
    inside.handle = await open('/dev/full', 'r+');
    later.writeChunk(0, chunk(5));
    await expect(later.sync()).rejects.toMatchObject({ code: 'disk_full' });
    await expect(later.sync()).rejects.toMatchObject({ code: 'disk_full' });
    expect(() => later.writeChunk(0, chunk(6))).toThrow(expect.objectContaining({ code: 'disk_full' }));
    await later.close();
    expect(await fields()).toEqual(['f0']);

    file = generateArchiveName('job1', 2);
    symlinkSync('/dev/full', path());
    await expect(reopen()).rejects.toMatchObject({ code: 'disk_full' });
  });

  it('gives back any elements, in any cut into syncs', async () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value));
    const some = fc.record({
      type: fc.constantFrom<ElementChunk['type']>('string', 'hash', 'list', 'set', 'zset', 'stream', 'groups'),
      start: fc.nat(),
      elements: fc.nat(),
      values: fc.array(bytes, { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(some, fc.boolean()), { maxLength: 12 }), async (chunks) => {
        file = generateArchiveName('job1', 3);
        const writer = await reopen();
        writer.writeKey(key);
        for (const [one, sync] of chunks) {
          writer.writeChunk(0, one);
          if (sync) await writer.sync();
        }
        await writer.seal();
        await writer.close();
        const found: ElementChunk[] = [];
        const index = await verifyArchive(file, 'job1');
        for await (const one of readChunks(file, index, 0, { sorted: false })) found.push(one);
        expect(found).toEqual(chunks.map(([one]) => one));
      }),
      { numRuns: 60 },
    );
  });
});
