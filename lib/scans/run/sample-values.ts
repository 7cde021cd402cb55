import { detectHyperloglog, HYPERLOGLOG_HEADER_BYTES } from '@/lib/model/keys/hyperloglog';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchValueSamples, SAMPLED_BYTES } from '@/lib/redis/scan/fetch-value-samples';
import { findSensitiveKinds } from '@/lib/rules/words/sensitive-values';
import { log } from '@/lib/runtime/log';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { chooseHyperLogLogCandidates, chooseSamples, type SampledKey } from './choose-samples';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/**
 * A user may be denied some keys. After this many denials in a row, the rest of the connection is skipped, because the
 * user probably may not read any.
 */
const MAX_DENIALS_IN_A_ROW = 64;
/** How many names of strings that are no HyperLogLog are recorded. */
const MAX_RECORDED_NAMES = 200;

interface ValueSampling {
  session: RedisSession;
  dir: string;
  manifest: SnapshotManifest;
  checkpoint: ScanCheckpoint;
  /** Delimiter of names in the profile. */
  delimiter: string;
  hooks: ScanHooks;
  meter: ScanMeter;
}

/**
 * Samples small strings, only if the person who started the scan requested it. It records for each name which kinds of
 * secrets the value resembles, and discards the value at once. A node that does not answer is skipped, because the keys
 * matter more, and strings that were not read are reported as such. Returns false if it was stopped before the end;
 * then nothing is recorded. Errors: `disk_full`.
 */
export async function sampleValues(scan: ValueSampling): Promise<boolean> {
  const { dir, manifest, checkpoint, delimiter, hooks } = scan;
  const shouldStop = () => hooks.getStopRequest() !== null || hooks.signal.aborted;
  // Since the scan was started, sampling may have been forbidden, or the person may have lost the permission.
  if (!(await hooks.mayReadValues())) {
    log().warn({ instance: manifest.instanceName }, 'scan.sampling_refused');
    await writeValueSamples(dir, { chosen: 0, denied: false, looked: [] });
    return true;
  }
  const sampledKeys = await chooseSamples({ dir, manifest }, checkpoint.options.values, delimiter);
  const samples: ValueSamples = { chosen: sampledKeys.length, denied: false, looked: [] };
  const isComplete = await readBeginnings(scan, sampledKeys, SAMPLED_BYTES, shouldStop, ({ name, bytes }, value) => {
    if (value === 'denied') samples.denied = true;
    else samples.looked.push({ name, bytes, kinds: findSensitiveKinds(value) });
  });
  // A partial result must not pass for a complete one.
  if (!isComplete || !(await readHyperLogLogHeaders(scan, shouldStop))) return false;
  const { commandsDenied } = checkpoint;
  if (samples.denied && !commandsDenied.includes('GETRANGE')) commandsDenied.push('GETRANGE');
  await writeValueSamples(dir, samples);
  return true;
}

/**
 * Reads the headers of strings with the length of a HyperLogLog. The names of those that are none are recorded in the
 * manifest, at most MAX_RECORDED_NAMES, because it is read often. Returns false if
 * it was stopped.
 */
async function readHyperLogLogHeaders(scan: ValueSampling, shouldStop: () => boolean): Promise<boolean> {
  const { dir, manifest, checkpoint } = scan;
  const candidates = await chooseHyperLogLogCandidates({ dir, manifest }, checkpoint.options.values);
  const others: { db: number; name: string }[] = [];
  const isComplete = await readBeginnings(
    scan,
    candidates,
    HYPERLOGLOG_HEADER_BYTES,
    shouldStop,
    ({ db, name }, value) => {
      const isOther = value !== 'denied' && detectHyperloglog(value) === null;
      if (isOther && others.length < MAX_RECORDED_NAMES) others.push({ db, name });
    },
  );
  if (!isComplete) return false;
  manifest.notHyperloglogs = others;
  await writeManifest(dir, manifest);
  return true;
}

/**
 * Reads the first `bytes` bytes of values and calls `onSample` for every value that exists. Returns false if it was
 * stopped.
 */
async function readBeginnings(
  { session, checkpoint, meter }: ValueSampling,
  sampledKeys: readonly SampledKey[],
  bytes: number,
  shouldStop: () => boolean,
  onSample: (sample: SampledKey, value: Buffer | 'denied') => void,
): Promise<boolean> {
  for (const group of groupByConnection(sampledKeys)) {
    const { node, db } = group[0]!;
    const { address } = checkpoint.nodes[node]!;
    const names = group.map(({ name }) => Buffer.from(name));
    let denialsInARow = 0;
    const onValue = (index: number, value: Buffer | null | 'denied') => {
      denialsInARow = value === 'denied' ? denialsInARow + 1 : 0;
      if (value !== null) onSample(group[index]!, value);
    };
    try {
      const hasEnough = () => shouldStop() || denialsInARow >= MAX_DENIALS_IN_A_ROW;
      meter.addCost(await fetchValueSamples(session, checkpoint.nodes[node]!, db, names, onValue, hasEnough, bytes));
    } catch (error) {
      log().warn({ address, err: error }, 'scan.sampling_failed');
    }
    if (shouldStop()) return false;
  }
  return true;
}

/** Groups keys by node and database, because a connection is to one database of one node. */
function groupByConnection(sampledKeys: readonly SampledKey[]): SampledKey[][] {
  const groups = new Map<string, SampledKey[]>();
  for (const sample of sampledKeys) {
    const key = `${sample.node} ${sample.db}`;
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  return [...groups.values()];
}
