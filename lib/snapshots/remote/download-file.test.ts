import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { downloadFile } from './download-file';
import type { ObjectStore } from './objects/object-store';

const body = 'of a snapshot';
const file = {
  path: 'keys-0001.parquet',
  bytes: body.length,
  sha256: createHash('sha256').update(body).digest('hex'),
};
const store = { get: async () => new Response(body) } as unknown as ObjectStore;

let dir: string;
let mend = () => {};
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'colonnade-download-')));
});
afterEach(() => {
  mend();
  rmSync(dir, { recursive: true, force: true });
});

/** Names of the files and folders that are synced from now on. */
async function watchSyncs(): Promise<string[]> {
  const handle = await open(dir, 'r');
  const proto = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const real = proto.sync;
  const synced: string[] = [];
  proto.sync = async function (this: FileHandle) {
    synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return real.call(this);
  };
  mend = () => {
    proto.sync = real;
  };
  return synced;
}

// Only Linux shows the name of a descriptor.
it.runIf(process.platform === 'linux')('is on disk with its name before the next file is begun', async () => {
  const synced = await watchSyncs();
  await downloadFile(store, 'snapshot1', dir, file, () => {});
  expect(readFileSync(path.join(dir, file.path), 'utf8')).toBe(body);
  expect(synced).toEqual([expect.stringMatching(/keys-0001\.parquet\..*\.tmp$/), dir]);
});

it('that came damaged has no name', async () => {
  const damaged = { ...file, sha256: '0'.repeat(64) };
  await expect(downloadFile(store, 'snapshot1', dir, damaged, () => {})).rejects.toMatchObject({
    code: 'snapshot_store_away',
  });
  expect(readdirSync(dir)).toEqual([]);
});
