import { hostname } from 'node:os';
import { AppError } from '@/lib/model/errors';
import { isPresent, PRESENCE_EVERY_MS, type Presence } from '@/lib/model/presence';
import { log } from '@/lib/runtime/log';
import { runTransaction } from '@/lib/store/open-store';
import { listPresences, putPresence, removePresence } from '@/lib/store/workers';
import { isLoopSilent, readRunningJobs } from './engine-heartbeat';
import { isProcessDead } from './process-id';

/** What the other processes have to know about this one. */
type OwnPresence = Pick<Presence, 'id' | 'role' | 'labels' | 'version' | 'keyId' | 'jobs'> & {
  /** Whether this process can open what a process with that key has encrypted. Absent: only with the same key. */
  canOpen?: (keyId: string) => boolean;
};

const toPresence = ({ canOpen: _, ...own }: OwnPresence) => ({
  ...own,
  host: hostname(),
  pid: process.pid,
  running: readRunningJobs() ?? 0,
});

/**
 * Records that this process is running, and repeats it every few seconds until it is stopped. Throws `vault_key` when a
 * running process encrypts passwords with another key, because each could open only its own.
 */
export async function keepPresence(own: OwnPresence, everyMs = PRESENCE_EVERY_MS): Promise<{ stop(): Promise<void> }> {
  const canOpen = own.canOpen ?? ((keyId) => keyId === own.keyId);
  await runTransaction(async (tx) => {
    const other = (await listPresences(tx)).find(
      (presence) => isPresent(presence) && !isProcessDead(presence.id) && !canOpen(presence.keyId),
    );
    if (other)
      throw new AppError(
        'vault_key',
        `The process ${other.pid} on ${other.host}, which shares this database, has another key (COLONNADE_KEY, vault.key). All processes need the same.`,
        { why: 'other key' },
      );
    await putPresence(toPresence(own), tx);
  });
  let hasFailed = false;
  let isWriting = false;
  const timer = setInterval(() => {
    // A process whose loop hangs runs no jobs, so it gives no sign. Only one write waits at a time; more would take all
    // connections.
    if (isWriting || isLoopSilent()) return;
    isWriting = true;
    putPresence(toPresence(own))
      .then(
        () => {
          hasFailed = false;
        },
        (error) => {
          // Logged once, not every few seconds; failures of the database are logged elsewhere.
          if (!hasFailed) log().warn({ err: error }, 'engine.presence_failed');
          hasFailed = true;
        },
      )
      .finally(() => {
        isWriting = false;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await removePresence(own.id).catch(() => {});
    },
  };
}
