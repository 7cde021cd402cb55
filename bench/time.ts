/**
 * Measures comparisons of two generated snapshots: prefixes and patterns from the sums, all keys one by one, and one key
 * in 30 snapshots. A fiftieth of the keys is new, another one gone, and a fortieth uses more memory.
 *   npm run bench -- time --json [--keys 10000000] [--data FOLDER]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { encodeKey } from '@/lib/model/keys/key-id';
import { getKeyHistory } from '@/lib/scans/compare/get-key-history';
import { findCommonPart } from '@/lib/snapshots/compare/common-part';
import { compareGroups } from '@/lib/snapshots/compare/compare-groups';
import { compareKeys } from '@/lib/snapshots/compare/compare-keys';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { closeStore } from '@/lib/store/open-store';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { generateSnapshot, peakRss } from './keyspaces/generate-snapshot';
import { keyAt } from './keyspaces/keyspace';
import { registerSnapshot } from './keyspaces/register-snapshot';

const HISTORY = 30;
const INSTANCE = 'benchinstance';
const BIG = 'big:export:0';

interface CompareFigures {
  comparePrefixesMs: number;
  compareKeysSeconds: number;
  keyHistoryMs: number;
  peakRssMiB: number;
}

/** The keyspace a while later. */
const laterKeyAt: typeof keyAt = (index, keys, seed) => {
  const key = keyAt(index, keys, seed);
  if (index % 50 === 0) return { ...key, name: `${key.name}:later` };
  return index % 40 === 0 ? { ...key, bytes: key.bytes * 1.25 } : key;
};

/** `data`: an empty data folder, which must be COLONNADE_DATA. Times are medians of three after one that warms up. */
async function measureCompare(data: string, keys: number): Promise<CompareFigures> {
  const folder = join(data, 'snapshots');
  await mkdir(folder, { recursive: true });
  for (const [id, make] of [
    ['older', keyAt],
    ['newer', laterKeyAt],
  ] as const) {
    await generateSnapshot(join(folder, id), keys, true, make);
  }
  const open = async (id: string) => {
    const dir = join(folder, id);
    return { dir, manifest: await readManifest(dir), bigkeys: STANDARD_THRESHOLDS };
  };
  const [now, before] = [await open('newer'), await open('older')];
  const common = findCommonPart(now, before);
  const comparePrefixesMs = await measure(() => compareGroups(now, before, common, {}));
  const rss = peakRss();
  const began = performance.now();
  await compareKeys(now, before, common);
  const compareKeysSeconds = (performance.now() - began) / 1000;
  const peakRssMiB = rss();
  for (let i = 0; i < HISTORY; i++) {
    const id = `history${i}`;
    await cp(join(folder, 'older'), join(folder, id), { recursive: true });
    await writeManifest(join(folder, id), { ...before.manifest, id, instanceId: INSTANCE });
    await registerHistory(id, keys);
  }
  const k = encodeKey(Buffer.from(BIG));
  const keyHistoryMs = await measure(() => getKeyHistory(LOCAL_ADMIN, INSTANCE, k, 0));
  await closeStore();
  return { comparePrefixesMs, compareKeysSeconds, keyHistoryMs, peakRssMiB };
}

/** The instance is added with its first snapshot. */
async function registerHistory(id: string, keys: number): Promise<void> {
  if (id === 'history0') return registerSnapshot(id, INSTANCE, keys);
  await insertSnapshot({ ...(await getSnapshotRow('history0'))!, id });
}

async function measure(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 4; i++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return Math.round(times.slice(1).sort((a, b) => a - b)[1]!);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      keys: { type: 'string', default: '10000000' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const data = values.data ?? mkdtempSync(join(tmpdir(), 'colonnade-bench-time-'));
  process.env.COLONNADE_DATA = data;
  console.log(JSON.stringify(await measureCompare(data, Number(values.keys))));
  rmSync(data, { recursive: true });
}
