/**
 * Limits how many plans are made at once: a plan of many keys reads the servers and a snapshot for seconds. There is
 * one at a time per instance, and at most MAX_RUNNING in all. The next one waits for its turn, and gets `busy` if that
 * takes too long or too many wait for the same instance.
 */

import { AppError } from '@/lib/model/errors';

const MAX_RUNNING = 4;
/** Per instance. */
const MAX_WAITING = 4;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  instanceId: string;
  begin: () => void;
}
/** The ids of instances for which a plan is being made. */
const running = new Set<string>();
const allWaiting = new Set<Waiting>();

/** Runs `act` when it is its turn. Errors: `busy`; the reason of the signal if the caller is gone. */
export async function withPlanTurn<T>(
  instanceId: string,
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> {
  await takeTurn(instanceId, signal);
  try {
    return await act();
  } finally {
    running.delete(instanceId);
    for (const waiting of allWaiting) if (isFree(waiting.instanceId)) waiting.begin();
  }
}

const isFree = (instanceId: string) => running.size < MAX_RUNNING && !running.has(instanceId);

async function takeTurn(instanceId: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (isFree(instanceId)) {
    running.add(instanceId);
    return;
  }
  const waitingHere = [...allWaiting].filter((waiting) => waiting.instanceId === instanceId);
  if (waitingHere.length >= MAX_WAITING) throw createBusyError();
  await new Promise<void>((resolve, reject) => {
    const settle = (act: () => void) => {
      allWaiting.delete(self);
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const begin = () => {
      running.add(instanceId);
      settle(resolve);
    };
    const onAbort = () => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => settle(() => reject(createBusyError())), MAX_WAIT_MS);
    const self = { instanceId, begin };
    signal?.addEventListener('abort', onAbort, { once: true });
    allWaiting.add(self);
  });
}

const createBusyError = () =>
  new AppError('busy', 'Another plan is being made for this instance. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
