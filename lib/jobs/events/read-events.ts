import { log } from '@/lib/runtime/log';
import { deleteEvent, postponeEvent, readNextEvent, type StoreEvent } from '@/lib/store/events';
import { leaveTurn, TURN_MS, takeTurn } from '@/lib/store/settings/turns';

/** Acts on an event. It may be called again for the same event after a crash, so it must be idempotent. */
export type EventHandler = (event: StoreEvent, signal: AbortSignal) => Promise<void>;

/** How often the table of events is read, ms. `wake` announces most events earlier. */
const POLL_MS = 5_000;
/** Setting: the process that reads events (turns.ts). */
const READER = 'events_reader';
/** Waits after a failed try, ms. After the last one the event is given up, and the log says so. */
const WAITS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];

/** Handles all events that are due, one after the other. Returns how many were handled. */
export async function handleEvents(handlers: readonly EventHandler[], signal: AbortSignal): Promise<number> {
  for (let handled = 0; ; handled++) {
    const event = signal.aborted ? null : await readNextEvent();
    if (event === null) return handled;
    try {
      for (const handle of handlers) await handle(event, signal);
      if (!signal.aborted) await deleteEvent(event.id);
    } catch (error) {
      // The next process handles it again from the beginning.
      if (signal.aborted) return handled;
      await retryLater(event, error);
    }
  }
}

async function retryLater(event: StoreEvent, error: unknown): Promise<void> {
  const { id, kind, subject, tries } = event;
  const waitMs = WAITS_MS[tries];
  if (waitMs === undefined) {
    log().error({ event: id, kind, subject, err: error }, 'events.given_up');
    return deleteEvent(id);
  }
  log().warn({ event: id, kind, subject, tries: tries + 1, waitMs, err: error }, 'events.handler_failed');
  return postponeEvent(event, waitMs);
}

/**
 * Handles events until it is stopped. Of several processes that share a database one handles all, so that the events of
 * an instance are handled in their order. `owner` identifies this process.
 */
export function keepHandlingEvents(
  owner: string,
  handlers: readonly EventHandler[],
): { wake(): void; stop(): Promise<void> } {
  const abort = new AbortController();
  let running: Promise<void> | null = null;
  let isDue = false;
  const handleOnce = async () => {
    if (!(await takeTurn(READER, owner))) return;
    // A comparison of large snapshots takes longer than a turn.
    const renewal = setInterval(() => void takeTurn(READER, owner).catch(() => {}), TURN_MS / 3);
    try {
      await handleEvents(handlers, abort.signal);
    } finally {
      clearInterval(renewal);
    }
  };
  const wake = () => {
    isDue = true;
    // A database that does not answer is logged by its own check.
    running ??= (async () => {
      while (isDue && !abort.signal.aborted) {
        isDue = false;
        await handleOnce().catch(() => {});
      }
    })().finally(() => {
      running = null;
    });
  };
  const timer = setInterval(wake, POLL_MS);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      clearInterval(timer);
      abort.abort();
      await running;
      await leaveTurn(READER, owner).catch(() => {});
    },
  };
}
