/**
 * Limits how many plans are made at once: a plan of many keys reads the servers and a snapshot for seconds. There is
 * one at a time per instance, and at most MAX_RUNNING in all. The next one waits for its turn, and gets `busy` if that
 * takes too long or too many wait for the same instance.
 */

import { AppError } from '@/lib/model/errors';

const MAX_PLANS_AT_ONCE = 4;
/** Per instance. */
const MAX_WAITING_PER_INSTANCE = 4;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

interface WaitingPlan {
  instanceId: string;
  begin: () => void;
}
/** The ids of instances for which a plan is being made. */
const runningInstances = new Set<string>();
const waitingPlans = new Set<WaitingPlan>();

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
    runningInstances.delete(instanceId);
    for (const waiting of waitingPlans) if (mayBegin(waiting.instanceId)) waiting.begin();
  }
}

const mayBegin = (instanceId: string) => runningInstances.size < MAX_PLANS_AT_ONCE && !runningInstances.has(instanceId);

async function takeTurn(instanceId: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (mayBegin(instanceId)) {
    runningInstances.add(instanceId);
    return;
  }
  const waitingHere = [...waitingPlans].filter((waiting) => waiting.instanceId === instanceId);
  if (waitingHere.length >= MAX_WAITING_PER_INSTANCE) throw createBusyError();
  await new Promise<void>((resolve, reject) => {
    const settle = (act: () => void) => {
      waitingPlans.delete(waitingPlan);
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const begin = () => {
      runningInstances.add(instanceId);
      settle(resolve);
    };
    const onAbort = () => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => settle(() => reject(createBusyError())), MAX_WAIT_MS);
    const waitingPlan = { instanceId, begin };
    signal?.addEventListener('abort', onAbort, { once: true });
    waitingPlans.add(waitingPlan);
  });
}

const createBusyError = () =>
  new AppError('busy', 'Another plan is being made for this instance. Try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
