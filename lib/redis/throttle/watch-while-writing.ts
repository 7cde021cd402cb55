import type { RedisSession } from '@/lib/redis/connection/session';
import { type NodeState, nodeStateOf } from '@/lib/redis/info/node-state';
import type { NodeThrottle } from './node-throttle';
import { type PressureOptions, watchPressure } from './watch-pressure';

const LOOK_EVERY_MS = 500;
/** Objects that the background thread may still have before it as we add more. */
const MAX_PENDING = 64;

/**
 * Watches a node that is written to: all that holds a scan, and more. No write while a background save or rewrite runs
 * (each would copy a page of memory), none while the freeing thread is behind. `ready` resolves after the first look:
 * nothing is sent before it.
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

  const tell = (code: 'saving' | 'lazyfree', holds: boolean, params = {}) => {
    if (holds && !stopped) throttle.addReason(code, params);
    else throttle.clearReason(code);
  };
  const look = async () => {
    try {
      const client = await session.client(address);
      const state = nodeStateOf(await client.info());
      options.onState?.(state);
      tell('saving', state.saving);
      const pending = state.lazyfreePending ?? 0;
      tell('lazyfree', pending > MAX_PENDING, { pending });
    } catch {
      // INFO is denied, or the server is away: the pressure watch and the writing itself tell which.
    }
    options.onUpdate?.();
  };
  const repeat = async () => {
    await look();
    if (!stopped) timer = setTimeout(() => void repeat(), LOOK_EVERY_MS);
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
