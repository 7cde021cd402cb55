import { getJournal } from '@/lib/deletions/journal/write-journal';
import type { StoredItem } from '../../../lib/store/deletions/deletion-items';
import { findJobs } from '../../../lib/store/jobs';
import { sleep } from '../../servers/process';
import type { Fault, FaultProxy, Held } from './fault-proxy';

const LIMIT_MS = 90_000;

/** Starts something with a fault; resolves when the fault has occurred. */
export async function strikeAt<T>(
  proxy: FaultProxy,
  fault: Fault,
  start: () => Promise<T>,
): Promise<{ held: Held; started: T }> {
  const struck = proxy.strike(fault);
  const started = await start();
  let met = false;
  const late = sleep(LIMIT_MS).then(async () => {
    if (met) return null as never;
    const jobs = (await findJobs({})).map(({ kind, state, reason, error }) => ({ kind, state, reason, error }));
    throw new Error(`${fault.word} was not sent; the jobs: ${JSON.stringify(jobs)}`);
  });
  const held = await Promise.race([struck, late]);
  met = true;
  return { held, started };
}

export interface Midway {
  proxy: FaultProxy;
  /** The command that deletes elements, or that reads them if one command deletes all. */
  word: string;
  by?: 'removed' | 'archived';
  item(): Promise<StoredItem>;
}

/**
 * Holds a command back when the journal says that one round is complete and others follow; requires keys that take
 * three rounds.
 */
export async function holdMidway<T>(
  { proxy, word, by = 'removed', item }: Midway,
  start: () => Promise<T>,
): Promise<{ held: Held; started: T }> {
  let met = await strikeAt(proxy, { word, act: 'hold' }, start);
  for (;;) {
    // A round takes at least seventeen commands, so steps of nine cannot skip one.
    const now = await item();
    if (now.state === 'draining' && now[by] > 0 && !getJournal(now).archived) return met;
    const { started } = met;
    met.held.release();
    met = await strikeAt(proxy, { word, after: 8, act: 'hold' }, async () => started);
  }
}
