import { log } from '@/lib/log';
import { HYPERLOGLOG_HEADER_BYTES, hyperloglogEncoding } from '@/lib/model/keys/hyperloglog';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchValueSamples, SAMPLED_BYTES } from '@/lib/redis/scan/fetch-value-samples';
import { sensitiveKinds } from '@/lib/rules/words/sensitive-values';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { type ChosenSample, chooseLookalikes, chooseSamples } from './choose-samples';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/** A user may be kept from some keys; one that is refused so many in a row may not read any. */
const MAX_REFUSED = 64;
const MAX_NOTED = 200;

export interface SampleValues {
  session: RedisSession;
  dir: string;
  manifest: SnapshotManifest;
  checkpoint: ScanCheckpoint;
  /** Of the names, as the profile says. */
  delimiter: string;
  hooks: ScanHooks;
  meter: ScanMeter;
}

/**
 * Looks into small strings, only where the person who began the scan asked for it: what their values look like is noted
 * by name, the values are forgotten at once. Keys are what a scan is for: a node that does not answer here is left out,
 * and what was not looked at is reported as such. false: stopped before the end, nothing is noted. Errors: `disk_full`.
 */
export async function sampleValues(scan: SampleValues): Promise<boolean> {
  const { dir, manifest, checkpoint, delimiter, hooks } = scan;
  const stop = () => hooks.stopRequested() !== null || hooks.signal.aborted;
  // Since the scan was begun it may have been forbidden, or whoever began it may not any more.
  if (!(await hooks.mayReadValues())) {
    log().warn({ instance: manifest.instanceName }, 'scan.sampling_refused');
    await writeValueSamples(dir, { chosen: 0, denied: false, looked: [] });
    return true;
  }
  const chosen = await chooseSamples({ dir, manifest }, checkpoint.options.values, delimiter);
  const samples: ValueSamples = { chosen: chosen.length, denied: false, looked: [] };
  const looked = await lookInto(scan, chosen, SAMPLED_BYTES, stop, ({ name, bytes }, value) => {
    if (value === 'denied') samples.denied = true;
    else samples.looked.push({ name, bytes, kinds: sensitiveKinds(value) });
  });
  // Half a look must not pass for a whole one.
  if (!looked || !(await readHeaders(scan, stop))) return false;
  const { commandsDenied } = checkpoint;
  if (samples.denied && !commandsDenied.includes('GETRANGE')) commandsDenied.push('GETRANGE');
  await writeValueSamples(dir, samples);
  return true;
}

/** Strings that are as long as a HyperLogLog and none: their names are noted in the manifest, which is read often. */
async function readHeaders(scan: SampleValues, stop: () => boolean): Promise<boolean> {
  const { dir, manifest, checkpoint } = scan;
  const chosen = await chooseLookalikes({ dir, manifest }, checkpoint.options.values);
  const others: { db: number; name: string }[] = [];
  const looked = await lookInto(scan, chosen, HYPERLOGLOG_HEADER_BYTES, stop, ({ db, name }, value) => {
    const isOther = value !== 'denied' && hyperloglogEncoding(value) === null;
    if (isOther && others.length < MAX_NOTED) others.push({ db, name });
  });
  if (!looked) return false;
  manifest.notHyperloglogs = others;
  await writeManifest(dir, manifest);
  return true;
}

/** `note` gets the beginning of every value that is there. false: stopped. */
async function lookInto(
  { session, checkpoint, meter }: SampleValues,
  chosen: readonly ChosenSample[],
  bytes: number,
  stop: () => boolean,
  note: (one: ChosenSample, value: Buffer | 'denied') => void,
): Promise<boolean> {
  for (const some of byConnection(chosen)) {
    const { node, db } = some[0]!;
    const at = checkpoint.nodes[node]!;
    const names = some.map((one) => Buffer.from(one.name));
    let refused = 0;
    const each = (index: number, value: Buffer | null | 'denied') => {
      refused = value === 'denied' ? refused + 1 : 0;
      if (value !== null) note(some[index]!, value);
    };
    try {
      const enough = () => stop() || refused >= MAX_REFUSED;
      meter.spend(await fetchValueSamples(session, at, db, names, each, enough, bytes));
    } catch (error) {
      log().warn({ address: at.address, err: error }, 'scan.sampling_failed');
    }
    if (stop()) return false;
  }
  return true;
}

function byConnection(chosen: readonly ChosenSample[]): ChosenSample[][] {
  const groups = new Map<string, ChosenSample[]>();
  for (const one of chosen) {
    const key = `${one.node} ${one.db}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
