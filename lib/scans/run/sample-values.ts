import { log } from '@/lib/log';
import type { ValueSamples } from '@/lib/model/keys/value-samples';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { fetchValueSamples } from '@/lib/redis/scan/fetch-value-samples';
import { sensitiveKinds } from '@/lib/rules/words/sensitive-values';
import { writeValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { type ChosenSample, chooseSamples } from './choose-samples';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';
import type { ScanMeter } from './scan-meter';

/** A user may be kept from some keys; one that is refused so many in a row may not read any. */
const MAX_REFUSED = 64;

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
  const { session, dir, manifest, checkpoint, delimiter, hooks, meter } = scan;
  const stop = () => hooks.stopRequested() !== null || hooks.signal.aborted;
  // Since the scan was begun it may have been forbidden, or whoever began it may not any more.
  if (!(await hooks.mayReadValues())) {
    log().warn({ instance: manifest.instanceName }, 'scan.sampling_refused');
    await writeValueSamples(dir, { chosen: 0, denied: false, looked: [] });
    return true;
  }
  const chosen = await chooseSamples({ dir, manifest }, checkpoint.options.values, delimiter);
  const samples: ValueSamples = { chosen: chosen.length, denied: false, looked: [] };
  for (const some of byConnection(chosen)) {
    const { node, db } = some[0]!;
    const at = checkpoint.nodes[node]!;
    const names = some.map((one) => Buffer.from(one.name));
    let refused = 0;
    const note = (index: number, value: Buffer | null | 'denied') => {
      refused = value === 'denied' ? refused + 1 : 0;
      if (value === 'denied') samples.denied = true;
      else if (value !== null)
        samples.looked.push({ name: some[index]!.name, bytes: some[index]!.bytes, kinds: sensitiveKinds(value) });
    };
    try {
      meter.spend(await fetchValueSamples(session, at, db, names, note, () => stop() || refused >= MAX_REFUSED));
    } catch (error) {
      log().warn({ address: at.address, err: error }, 'scan.sampling_failed');
    }
    // Half a look must not pass for a whole one.
    if (stop()) return false;
  }
  const { commandsDenied } = checkpoint;
  if (samples.denied && !commandsDenied.includes('GETRANGE')) commandsDenied.push('GETRANGE');
  await writeValueSamples(dir, samples);
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
