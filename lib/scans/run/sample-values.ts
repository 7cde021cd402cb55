import { detectHyperloglog, HYPERLOGLOG_HEADER_BYTES } from '@/lib/model/keys/hyperloglog';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchValueSamples, SAMPLED_BYTES } from '@/lib/redis/scan/fetch-value-samples';
import { findSensitiveKinds } from '@/lib/rules/words/sensitive-values';
import { log } from '@/lib/runtime/log';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { type ChosenSample, chooseHyperLogLogCandidates, chooseSamples } from './choose-samples';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/**
 * A user may be denied some keys. After this many denials in a row, the rest of the connection is skipped, because the
 * user probably may not read any.
 */
const MAX_REFUSED = 64;
/** How many names of strings that are no HyperLogLog are recorded. */
const MAX_NOTED = 200;

interface SampleValues {
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
 * matter more, and strings that were not read are reported as such. false: stopped before the end, and nothing is
 * recorded. Errors: `disk_full`.
 */
export async function sampleValues(scan: SampleValues): Promise<boolean> {
  const { dir, manifest, checkpoint, delimiter, hooks } = scan;
  const mustStop = () => hooks.stopRequested() !== null || hooks.signal.aborted;
  // Since the scan was started, sampling may have been forbidden, or the person may have lost the permission.
  if (!(await hooks.mayReadValues())) {
    log().warn({ instance: manifest.instanceName }, 'scan.sampling_refused');
    await writeValueSamples(dir, { chosen: 0, denied: false, looked: [] });
    return true;
  }
  const chosen = await chooseSamples({ dir, manifest }, checkpoint.options.values, delimiter);
  const samples: ValueSamples = { chosen: chosen.length, denied: false, looked: [] };
  const isComplete = await readBeginnings(scan, chosen, SAMPLED_BYTES, mustStop, ({ name, bytes }, value) => {
    if (value === 'denied') samples.denied = true;
    else samples.looked.push({ name, bytes, kinds: findSensitiveKinds(value) });
  });
  // A partial result must not pass for a complete one.
  if (!isComplete || !(await readHeaders(scan, mustStop))) return false;
  const { commandsDenied } = checkpoint;
  if (samples.denied && !commandsDenied.includes('GETRANGE')) commandsDenied.push('GETRANGE');
  await writeValueSamples(dir, samples);
  return true;
}

/**
 * Reads the headers of strings with the length of a HyperLogLog. The names of those that are none are recorded in the
 * manifest, at most MAX_NOTED, because it is read often. false: stopped.
 */
async function readHeaders(scan: SampleValues, mustStop: () => boolean): Promise<boolean> {
  const { dir, manifest, checkpoint } = scan;
  const chosen = await chooseHyperLogLogCandidates({ dir, manifest }, checkpoint.options.values);
  const others: { db: number; name: string }[] = [];
  const isComplete = await readBeginnings(scan, chosen, HYPERLOGLOG_HEADER_BYTES, mustStop, ({ db, name }, value) => {
    const isOther = value !== 'denied' && detectHyperloglog(value) === null;
    if (isOther && others.length < MAX_NOTED) others.push({ db, name });
  });
  if (!isComplete) return false;
  manifest.notHyperloglogs = others;
  await writeManifest(dir, manifest);
  return true;
}

/** Reads the first `bytes` bytes of values and calls `note` for every value that exists. false: stopped. */
async function readBeginnings(
  { session, checkpoint, meter }: SampleValues,
  chosen: readonly ChosenSample[],
  bytes: number,
  mustStop: () => boolean,
  note: (sample: ChosenSample, value: Buffer | 'denied') => void,
): Promise<boolean> {
  for (const group of groupByConnection(chosen)) {
    const { node, db } = group[0]!;
    const { address } = checkpoint.nodes[node]!;
    const names = group.map(({ name }) => Buffer.from(name));
    let refused = 0;
    const onValue = (index: number, value: Buffer | null | 'denied') => {
      refused = value === 'denied' ? refused + 1 : 0;
      if (value !== null) note(group[index]!, value);
    };
    try {
      const hasEnough = () => mustStop() || refused >= MAX_REFUSED;
      meter.spend(await fetchValueSamples(session, checkpoint.nodes[node]!, db, names, onValue, hasEnough, bytes));
    } catch (error) {
      log().warn({ address, err: error }, 'scan.sampling_failed');
    }
    if (mustStop()) return false;
  }
  return true;
}

/** A connection is to one database of one node. */
function groupByConnection(chosen: readonly ChosenSample[]): ChosenSample[][] {
  const groups = new Map<string, ChosenSample[]>();
  for (const sample of chosen) {
    const key = `${sample.node} ${sample.db}`;
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  return [...groups.values()];
}
