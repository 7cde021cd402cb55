import { hostname } from 'node:os';
import { AppError } from '@/lib/model/errors';
import { isPresent, PRESENCE_EVERY_MS, type Presence } from '@/lib/model/presence';
import { log } from '@/lib/runtime/log';
import { runTransaction } from '@/lib/store/open-store';
import { listPresences, putPresence, removePresence } from '@/lib/store/workers';
import { isLoopSilent, readRunningJobs } from './engine-heartbeat';
import { isDead } from './owner';

/** Facts about this process that the others have to know. */
type Self = Pick<Presence, 'id' | 'role' | 'labels' | 'version' | 'keyId' | 'jobs'> & {
  /** Whether this process can open what a process with that key has encrypted. Absent: only with the same key. */
  opens?: (keyId: string) => boolean;
};

const toPresence = ({ opens: _, ...self }: Self) => ({
  ...self,
  host: hostname(),
  pid: process.pid,
  running: readRunningJobs() ?? 0,
});

/**
 * Records that this process is running, and repeats it every few seconds until it is stopped. Throws `vault_key` when a
 * running process encrypts passwords with another key, because each could open only its own.
 */
export async function keepPresence(self: Self, everyMs = PRESENCE_EVERY_MS): Promise<{ stop(): Promise<void> }> {
  const opens = self.opens ?? ((keyId) => keyId === self.keyId);
  await runTransaction(async (tx) => {
    const other = (await listPresences(tx)).find(
      (presence) => isPresent(presence) && !isDead(presence.id) && !opens(presence.keyId),
    );
    if (other)
      throw new AppError(
        'vault_key',
        `The process ${other.pid} on ${other.host}, which shares this database, has another key (COLONNADE_KEY, vault.key). All processes need the same.`,
        { why: 'other key' },
      );
    await putPresence(toPresence(self), tx);
  });
  let failed = false;
  let writing = false;
  const timer = setInterval(() => {
    // A process whose loop hangs runs no jobs, so it gives no sign. Only one write waits at a time; more would take all
    // connections.
    if (writing || isLoopSilent()) return;
    writing = true;
    putPresence(toPresence(self))
      .then(
        () => {
          failed = false;
        },
        (error) => {
          // Logged once, not every few seconds; failures of the database are logged elsewhere.
          if (!failed) log().warn({ err: error }, 'engine.presence_failed');
          failed = true;
        },
      )
      .finally(() => {
        writing = false;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await removePresence(self.id).catch(() => {});
    },
  };
}
