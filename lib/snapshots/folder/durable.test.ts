import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { createPartWriter } from '@/lib/snapshots/parts/part-writer';
import { toDiskError } from './durable';

const folder = () => mkdtempSync(join(tmpdir(), 'colonnade-disk-'));

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT'])('%s is told as what it is, with what to do', async (code) => {
    const reported = await toDiskError(Object.assign(new Error(`${code}: write`), { code }), folder());
    expect(reported).toMatchObject({ code: 'disk_full', details: { freeBytes: expect.any(Number) } });
    expect((reported as AppError).message).toMatch(/Make room/);
  });

  it.each(['EACCES', 'EROFS', 'EIO'])('%s is of the place, for a person to mend', async (code) => {
    const reported = await toDiskError(Object.assign(new Error(code), { code }), folder());
    expect(reported).toMatchObject({ code: 'data_folder', details: { cause: code } });
    expect((reported as AppError).message).toContain(code);
  });

  it('passes other errors as they are', async () => {
    const other = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    expect(await toDiskError(other, folder())).toBe(other);
    const ours = new AppError('conflict', 'x');
    expect(await toDiskError(ours, folder())).toBe(ours);
  });

  // Linux has a device that is always full; other systems have none.
  it.runIf(existsSync('/dev/full'))('stops a part that is being written, and leaves nothing behind', async () => {
    const dir = folder();
    symlinkSync('/dev/full', join(dir, 'part-0-0-000000.parquet.tmp'));
    const writer = await createPartWriter(dir, { node: 0, db: 0, sequence: 0 });
    await expect(writer.finish()).rejects.toMatchObject({ code: 'disk_full' });
    expect(readdirSync(dir)).toEqual([]);
  });
});
