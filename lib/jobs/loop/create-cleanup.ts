import { log } from '@/lib/runtime/log';
import { type DiscardState, discardLeftovers } from './discard-leftovers';
import type { JobKind } from './job-kind';

export interface Cleanup {
  /** Starts the clean-up unless it is running. */
  startCleanup(): void;
  /** Starts nothing more; resolves when the running clean-up has ended. */
  stop(): Promise<void>;
  /** Called when the process ends: the running clean-up writes nothing any more, and the next process repeats it. */
  abandon(): void;
}

/** Cleans up after jobs next to the loop, one job after the other, so that claims do not wait for the disk. */
export function createCleanup(kinds: ReadonlyMap<string, JobKind>, owner: string, leaseMs: number): Cleanup {
  const state: DiscardState = { stopping: false, left: false };
  let working: Promise<void> | null = null;
  return {
    startCleanup() {
      if (working !== null || state.stopping) return;
      working = discardLeftovers(kinds, owner, leaseMs, state)
        .catch((error) => log().error({ err: error }, 'engine.cleanup_failed'))
        .finally(() => {
          working = null;
        });
    },
    stop() {
      state.stopping = true;
      return working ?? Promise.resolve();
    },
    abandon() {
      state.left = true;
    },
  };
}
