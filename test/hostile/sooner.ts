import { LONG } from '../long-form.mjs';

type Original = <T>() => Promise<T>;

/**
 * Replaces the module by vi.mock, in tests that often wait until a lost command can have no effect any more: in the
 * short form that time is shorter. The long form uses the shipped value.
 */
export async function soonerDeadlines(original: Original) {
  const shipped = await original<typeof import('@/lib/redis/write/server-time')>();
  return LONG ? shipped : { ...shipped, IN_TIME_MS: 1000 };
}

/** The same for the wait until a server is asked again. */
export async function soonerLooks(original: Original) {
  const shipped = await original<typeof import('@/lib/runtime/backoff-ms')>();
  return LONG ? shipped : { ...shipped, computeBackoffMs: () => 200 };
}
