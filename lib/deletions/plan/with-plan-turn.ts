/**
 * Limits how many plans are made at once: a plan of many keys reads the servers and a snapshot for seconds. There is
 * one at a time per instance, and at most MAX_RUNNING in all. The next one waits for its turn, and gets `busy` if that
 * takes too long or too many wait for the same instance. The state is one for the whole process, because each route has
 * its own copy of this module.
 */

import { AppError } from '@/lib/model/errors';
import { getProcessWide } from '@/lib/runtime/process-wide';

const MAX_RUNNING = 4;
/** Per instance. */
const MAX_WAITING = 4;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  instanceId: string;
  begin: () => void;
}
interface Turns {
  /** The ids of instances for which a plan is being made. */
  running: Set<string>;
  waiting: Set<Waiting>;
}

/** Runs `act` when it is its turn. Errors: `busy`; the reason of the signal if the caller is gone. */
export async function withPlanTurn<T>(
  instanceId: string,
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> {
  const turns = getProcessWide('plan-turns', (): Turns => ({ running: new Set(), waiting: new Set() }));
  await takeTurn(turns, instanceId, signal);
  try {
    return await act();
  } finally {
    turns.running.delete(instanceId);
    for (const waiting of turns.waiting) if (isFree(turns, waiting.instanceId)) waiting.begin();
  }
}

const isFree = ({ running }: Turns, instanceId: string) => running.size < MAX_RUNNING && !running.has(instanceId);

async function takeTurn(turns: Turns, instanceId: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (isFree(turns, instanceId)) {
    turns.running.add(instanceId);
    return;
  }
  const waitingHere = [...turns.waiting].filter((waiting) => waiting.instanceId === instanceId);
  if (waitingHere.length >= MAX_WAITING) throw createBusyError();
  await new Promise<void>((resolve, reject) => {
    const settle = (act: () => void) => {
      turns.waiting.delete(self);
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const begin = () => {
      turns.running.add(instanceId);
      settle(resolve);
    };
    const onAbort = () => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => settle(() => reject(createBusyError())), MAX_WAIT_MS);
    const self = { instanceId, begin };
    signal?.addEventListener('abort', onAbort, { once: true });
    turns.waiting.add(self);
  });
}

const createBusyError = () =>
  new AppError('busy', 'Another plan is being made for this instance. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
