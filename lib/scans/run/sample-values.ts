import { detectHyperloglog, HYPERLOGLOG_HEADER_BYTES } from '@/lib/model/keys/hyperloglog';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchValueSamples, SAMPLED_BYTES } from '@/lib/redis/scan/fetch-value-samples';
import { findSensitiveKinds } from '@/lib/rules/words/sensitive-values';
import { log } from '@/lib/runtime/log';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { type ChosenSample, chooseLookalikes, chooseSamples } from './choose-samples';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/**
 * A user may be denied some keys. After this many denials in a row, the rest of the connection is skipped, because the
 * user probably may not read any.
 */
const MAX_REFUSED = 64;
const MAX_NOTED = 200;

export interface SampleValues {
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
 * Samples small strings, only if the person who started the scan requested it. It records what the values look like, by
 * name, and discards the values at once. A node that does not answer is skipped, because the keys matter more, and
 * strings that were not read are reported as such. false: stopped before the end, and nothing is recorded. Errors:
 * `disk_full`.
 */
export async function sampleValues(scan: SampleValues): Promise<boolean> {
  const { dir, manifest, checkpoint, delimiter, hooks } = scan;
  const stop = () => hooks.stopRequested() !== null || hooks.signal.aborted;
  // Since the scan was started, sampling may have been forbidden, or the person may have lost the permission.
  if (!(await hooks.mayReadValues())) {
    log().warn({ instance: manifest.instanceName }, 'scan.sampling_refused');
    await writeValueSamples(dir, { chosen: 0, denied: false, looked: [] });
    return true;
  }
  const chosen = await chooseSamples({ dir, manifest }, checkpoint.options.values, delimiter);
  const samples: ValueSamples = { chosen: chosen.length, denied: false, looked: [] };
  const looked = await lookInto(scan, chosen, SAMPLED_BYTES, stop, ({ name, bytes }, value) => {
    if (value === 'denied') samples.denied = true;
    else samples.looked.push({ name, bytes, kinds: findSensitiveKinds(value) });
  });
  // A partial result must not pass for a complete one.
  if (!looked || !(await readHeaders(scan, stop))) return false;
  const { commandsDenied } = checkpoint;
  if (samples.denied && !commandsDenied.includes('GETRANGE')) commandsDenied.push('GETRANGE');
  await writeValueSamples(dir, samples);
  return true;
}

/**
 * Reads the headers of strings with the length of a HyperLogLog. The names of those that are none are recorded in the
 * manifest, at most MAX_NOTED, because it is read often. false: stopped.
 */
async function readHeaders(scan: SampleValues, stop: () => boolean): Promise<boolean> {
  const { dir, manifest, checkpoint } = scan;
  const chosen = await chooseLookalikes({ dir, manifest }, checkpoint.options.values);
  const others: { db: number; name: string }[] = [];
  const looked = await lookInto(scan, chosen, HYPERLOGLOG_HEADER_BYTES, stop, ({ db, name }, value) => {
    const isOther = value !== 'denied' && detectHyperloglog(value) === null;
    if (isOther && others.length < MAX_NOTED) others.push({ db, name });
  });
  if (!looked) return false;
  manifest.notHyperloglogs = others;
  await writeManifest(dir, manifest);
  return true;
}

/** Reads the beginning of values and calls `note` for every value that exists. false: stopped. */
async function lookInto(
  { session, checkpoint, meter }: SampleValues,
  chosen: readonly ChosenSample[],
  bytes: number,
  stop: () => boolean,
  note: (one: ChosenSample, value: Buffer | 'denied') => void,
): Promise<boolean> {
  for (const some of groupByConnection(chosen)) {
    const { node, db } = some[0]!;
    const at = checkpoint.nodes[node]!;
    const names = some.map((one) => Buffer.from(one.name));
    let refused = 0;
    const each = (index: number, value: Buffer | null | 'denied') => {
      refused = value === 'denied' ? refused + 1 : 0;
      if (value !== null) note(some[index]!, value);
    };
    try {
      const hasEnough = () => stop() || refused >= MAX_REFUSED;
      meter.spend(await fetchValueSamples(session, at, db, names, each, hasEnough, bytes));
    } catch (error) {
      log().warn({ address: at.address, err: error }, 'scan.sampling_failed');
    }
    if (stop()) return false;
  }
  return true;
}

function groupByConnection(chosen: readonly ChosenSample[]): ChosenSample[][] {
  const groups = new Map<string, ChosenSample[]>();
  for (const one of chosen) {
    const key = `${one.node} ${one.db}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
