import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { writeChecked } from '@/lib/snapshots/folder/checked-text';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { createPartWriter } from '@/lib/snapshots/parts/part-writer';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { HOSTILE, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeManifest, makeSealed, writeParts } from '@/test/snapshots/make-snapshot';
import { sealSnapshot } from './seal-snapshot';
import type { SealStats } from './sealed-stats';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

const sealed = (id: string) => (s: { keys: number; fileBytes: number; duplicatesRemoved: number }) => {
  const base = makeManifest({ id, state: 'sealed', keys: s.keys, fileBytes: s.fileBytes });
  return { ...base, coverage: { ...base.coverage, duplicatesRemoved: s.duplicatesRemoved } };
};

async function allKeys(dir: string) {
  const manifest = await readManifest(dir);
  const rows = [];
  let cursor: string | undefined;
  do {
    const { report } = await runReport({ dir, manifest }, 'keys', { limit: 1000, cursor });
    rows.push(...report.rows);
    cursor = report.nextCursor ?? undefined;
  } while (cursor);
  return rows;
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return chunks;
}

describe('sealing', () => {
  it('keeps each key once, with its newest facts', async () => {
    const dir = path.join(root, 'dups');
    const rows = madeRows(3000);
    const again: MadeRow[] = rows.filter((_, i) => i % 3 === 0).map((row) => ({ ...row, bytes: 777_777 }));
    // The newer facts of half of them come from another node, as when a slot moves during the scan.
    const moved = again.map((row, i) => (i % 2 === 0 ? { ...row, node: 2 } : row));
    const parts = [...(await writeParts(dir, rows, 500, 1)), ...(await writeParts(dir, moved, 500, 1000))];
    const stats = await sealSnapshot(dir, parts.reverse(), { manifest: sealed('dups') });
    expect(stats.keys).toBe(rows.length);
    expect(stats.duplicatesRemoved).toBe(again.length);
    const found = await allKeys(dir);
    expect(found).toHaveLength(rows.length);
    expect(found.filter((row) => row.bytes === 777_777)).toHaveLength(again.length);
  });

  it('counts no key as one that expires where that could not be read', async () => {
    const notEvaluated = madeRows(50)
      .slice(0, 50)
      .map((row) => ({ ...row, expireAt: UNKNOWN }));
    const never = madeRows(50)
      .slice(0, 50)
      .map((row) => ({ ...row, expireAt: NO_EXPIRY }));
    for (const [id, rows, none] of [
      ['untold', notEvaluated, null],
      ['one-told', [never[0]!, ...notEvaluated.slice(1)], 1],
      ['never', never, 50],
      ['no-keys', [], 0],
    ] as const) {
      const dir = path.join(root, id);
      const stats = await sealSnapshot(dir, await writeParts(dir, rows), { manifest: sealed(id) });
      expect([id, stats.noExpiryKeys]).toEqual([id, none]);
    }
  });

  it('keeps the same name in two databases apart', async () => {
    const dir = path.join(root, 'dbs');
    const [row] = madeRows(1).slice(-1);
    const parts = await writeParts(dir, [
      { ...row!, db: 0 },
      { ...row!, db: 1 },
    ]);
    expect((await sealSnapshot(dir, parts, { manifest: sealed('dbs') })).keys).toBe(2);
  });

  it('gives the same after a crash at any step', async () => {
    const dir = path.join(root, 'crash');
    const rows = madeRows(2000);
    const parts = await writeParts(dir, rows, 300);
    const reported: SealStats[] = [];
    await mkdir(path.join(dir, 'sealing-0000')); // A killed sealing left it.
    await writeFile(path.join(dir, 'sealing-0000', 'data_0.parquet'), randomBytes(1000));
    const failing = sealSnapshot(dir, parts, {
      manifest: (stats) => {
        reported.push(stats);
        throw new Error('killed');
      },
    });
    await expect(failing).rejects.toThrow('killed');
    expect(await listParts(dir)).toHaveLength(parts.length);
    const second = await sealSnapshot(dir, parts, { manifest: sealed('crash') });
    // Equal rows of the sort may be compressed in another order; nothing else may differ.
    expect({ ...second, fileBytes: 0 }).toEqual({ ...reported[0]!, fileBytes: 0 });
    expect(await listParts(dir)).toEqual([]);
    expect(await sealSnapshot(dir, parts, { manifest: sealed('crash') })).toEqual(second);
    expect((await readdir(dir)).filter((name) => name.startsWith('sealing'))).toEqual([]);
  });

  it('seals an empty keyspace', async () => {
    const ref = await makeSealed(root, 'empty', []).catch((error) => error);
    expect(ref.manifest.keys).toBe(0);
    const { report } = await runReport(ref, 'overview', {});
    expect(report).toMatchObject({ keys: 0, bytes: 0, types: [], prefixCount: 0 });
  });

  it('a damaged file is told as such', async () => {
    const ref = await makeSealed(root, 'damaged', madeRows(100));
    await writeFile(path.join(ref.dir, ref.manifest.files[0]!), randomBytes(2000));
    await expect(runReport(ref, 'keys', {})).rejects.toMatchObject({ code: 'snapshot_damaged' });
    await expect(readManifest(path.join(root, 'nowhere'))).rejects.toMatchObject({ code: 'not_found' });
    await writeFile(path.join(ref.dir, 'snapshot.json'), '{"id":');
    await expect(readManifest(ref.dir)).rejects.toMatchObject({ code: 'snapshot_damaged' });
    await writeFile(path.join(ref.dir, 'snapshot.json'), '{"id":"without a checksum"}');
    await expect(readManifest(ref.dir)).rejects.toMatchObject({ code: 'snapshot_damaged' });
  });

  it('one of another version says that the instance is to be scanned again', async () => {
    const { dir, manifest } = await makeSealed(root, 'other-version', madeRows(10));
    const other = { ...manifest, schemaVersion: manifest.schemaVersion + 1 };
    await writeChecked(path.join(dir, 'snapshot.json'), JSON.stringify(other));
    await expect(readManifest(dir)).rejects.toMatchObject({
      code: 'snapshot_unreadable',
      message: expect.stringMatching(/another version of Colonnade\. Scan the instance again/),
    });
  });
});

describe('names are bytes', () => {
  const odd = (): MadeRow[] => {
    const [model] = madeRows(1).slice(-1);
    const long = [
      Buffer.alloc(4096, 'k'),
      Buffer.alloc(65_536, 'é'),
      Buffer.alloc(1_048_576, 0xff),
      Buffer.alloc(1_048_576, 'z'),
    ];
    return [...HOSTILE, ...Array.from({ length: 300 }, () => randomBytes(40)), ...long].map((bytesOfName) => ({
      ...model!,
      node: 0,
      db: 0,
      bytesOfName,
    }));
  };
  const hexes = (rows: MadeRow[]) =>
    [...new Set(rows.filter((r) => r.bytesOfName.length <= 4096).map((r) => r.bytesOfName.toString('hex')))].sort();

  it('through parts, sealed file, list and CSV', async () => {
    const rows = odd();
    for (const ref of [
      await makeSealed(root, 'bytes', rows),
      await makeLive(
        root,
        'bytes-live',
        rows.filter((row, i) => rows.findIndex((o) => o.bytesOfName.equals(row.bytesOfName)) === i),
      ),
    ]) {
      const listed = [];
      let cursor: string | undefined;
      do {
        const { report } = await runReport(ref, 'keys', { limit: 100, cursor });
        listed.push(...report.rows);
        cursor = report.nextCursor ?? undefined;
      } while (cursor);
      expect(
        listed.flatMap((r) => (r.k === null ? [] : [Buffer.from(r.k, 'base64url').toString('hex')])).sort(),
      ).toEqual(hexes(rows));
      const long = listed.filter((r) => r.k === null);
      expect(long.map((r) => r.nameBytes).sort((a, b) => a - b)).toEqual([65_536, 1_048_576, 1_048_576]);
      expect(long.every((r) => r.name.length <= 4 * 512)).toBe(true);
      for (const row of listed) if (row.k !== null) expect(row.nameBytes).toBe(Buffer.from(row.k, 'base64url').length);

      const { stream } = await streamKeyExport(ref, {}, 'csv');
      const csv = Buffer.concat(await collect(stream)).toString();
      expect(csv.startsWith('\ufeffname,key_base64,')).toBe(true);
      const records = parseCsv(csv.slice(1)).slice(1);
      expect(records).toHaveLength(listed.length);
      expect(
        records.flatMap((r) => (Number(r[2]) > 4096 ? [] : [Buffer.from(r[1]!, 'base64').toString('hex')])).sort(),
      ).toEqual(hexes(rows));
      for (const record of records) expect(record[0]).not.toMatch(/^[=+\-@\t\r]/);
      const { stream: lines } = await streamKeyExport(ref, {}, 'jsonl');
      const text = Buffer.concat(await collect(lines)).toString();
      expect(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toHaveLength(listed.length);
    }
  });

  it('exports Parquet that is whole and leaves no file behind', async () => {
    const ref = await makeSealed(root, 'parquet', madeRows(500));
    const { stream, contentType } = await streamKeyExport(ref, { type: ['hash'] }, 'parquet');
    const bytes = Buffer.concat(await collect(stream));
    expect(contentType).toContain('parquet');
    expect(bytes.subarray(0, 4).toString()).toBe('PAR1');
    expect(bytes.subarray(-4).toString()).toBe('PAR1');
    const left = async () => (await readdir(ref.dir, { recursive: true })).filter((name) => name.includes('export-'));
    await expect.poll(left).toEqual([]);
  });
});

describe('a part', () => {
  it('has its name only when it is whole', async () => {
    const dir = path.join(root, 'part');
    await writeParts(dir, madeRows(10));
    const writer = await createPartWriter(dir, { node: 0, db: 0, sequence: 99 });
    expect(existsSync(path.join(dir, 'part-0-0-000099.parquet'))).toBe(false);
    await writer.abort();
    expect((await readdir(dir)).some((name) => name.includes('000099'))).toBe(false);
    const other = await createPartWriter(dir, { node: 0, db: 0, sequence: 100 });
    expect(await other.finish()).toMatchObject({ rows: 0, file: 'part-0-0-000100.parquet' });
  });
});

/** Parses RFC 4180 without the library, so that the reader does not share a mistake with the writer. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        field += '"';
        i++;
      } else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === ',') {
      record.push(field);
      field = '';
    } else if (c === '\n') {
      record.push(field);
      records.push(record);
      record = [];
      field = '';
    } else field += c;
  }
  return records;
}
