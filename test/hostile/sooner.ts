import { LONG } from '../long-form.mjs';

type Original = <T>() => Promise<T>;

/**
 * For vi.mock, in tests that wait again and again until a command that was lost can do nothing any more: in the short
 * form that is sooner. The long form waits as it is shipped.
 */
export async function soonerDeadlines(original: Original) {
  const shipped = await original<typeof import('@/lib/redis/write/server-time')>();
  return LONG ? shipped : { ...shipped, IN_TIME_MS: 1000 };
}

/** The same for who waits until a server can be asked again. */
export async function soonerLooks(original: Original) {
  const shipped = await original<typeof import('@/lib/backoff-ms')>();
  return LONG ? shipped : { ...shipped, backoffMs: () => 200 };
}
