import { log } from '@/lib/log';
import { type DiscardState, discardLeftovers } from './discard-leftovers';
import type { JobKind } from './kind';

export interface Discards {
  /** Begins unless it is under way. */
  look(): void;
  /** Begins nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** The process ends: what is under way is done again by whoever is next, and writes nothing any more. */
  leave(): void;
}

/** Cleaning up beside the loop, one job after the other: claims wait for no disk. */
export function discardBeside(kinds: ReadonlyMap<string, JobKind>, owner: string, leaseMs: number): Discards {
  const state: DiscardState = { stopping: false, left: false };
  let working: Promise<void> | null = null;
  return {
    look() {
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
    leave() {
      state.left = true;
    },
  };
}
