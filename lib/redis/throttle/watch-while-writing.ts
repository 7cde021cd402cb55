import type { RedisSession } from '@/lib/redis/connection/session';
import { type NodeState, parseNodeState } from '@/lib/redis/info/node-state';
import type { NodeThrottle } from './node-throttle';
import { type PressureOptions, watchPressure } from './watch-pressure';

/** How often the state of the node is read, in ms. */
const STATE_EVERY_MS = 500;
/** How many objects may wait for the server's background thread before writing pauses. */
const MAX_PENDING = 64;

/**
 * Watches a node that is written to. Everything that holds a scan also holds writes; in addition, no write is sent
 * while a background save or rewrite runs (each write would copy a page of memory) or while the lazyfree thread is
 * behind. `ready` resolves when the state has been read once; nothing may be sent before it.
 */
export function watchWhileWriting(
  session: RedisSession,
  address: string,
  throttle: NodeThrottle,
  options: PressureOptions & { onState?: (state: NodeState) => void } = {},
): { ready: Promise<void>; stop(): void } {
  const pressure = watchPressure(session, address, throttle, options);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const setReason = (code: 'saving' | 'lazyfree', isHeld: boolean, params = {}) => {
    if (isHeld && !stopped) throttle.addReason(code, params);
    else throttle.clearReason(code);
  };
  const readState = async () => {
    try {
      const client = await session.client(address);
      const state = parseNodeState(await client.info());
      options.onState?.(state);
      setReason('saving', state.saving);
      const pending = state.lazyfreePending ?? 0;
      setReason('lazyfree', pending > MAX_PENDING, { pending });
    } catch {
      // INFO is denied, or the server is unreachable: the pressure watch and the writes themselves report which.
    }
    options.onUpdate?.();
  };
  const repeat = async () => {
    await readState();
    if (!stopped) timer = setTimeout(() => void repeat(), STATE_EVERY_MS);
  };
  const ready = repeat();

  return {
    ready,
    stop() {
      stopped = true;
      clearTimeout(timer);
      pressure.stop();
      throttle.clearReason('saving');
      throttle.clearReason('lazyfree');
    },
  };
}
