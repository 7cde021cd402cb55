import { type StoredJob, storeNow, updateJobFenced } from '@/lib/store/jobs';

/**
 * Renews a lease until the returned function is called, which resolves when no renewal is under way any more. One that
 * went to somebody else is let go; what is written under its fence is refused anyway.
 */
export function keepLease(
  id: string,
  { owner, fence }: StoredJob['lease'],
  leaseMs: number,
  state: { left: boolean },
): () => Promise<void> {
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let renewal: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = (await storeNow()) + leaseMs;
    if ((await updateJobFenced(id, { owner, fence }, { lease: { owner, fence, until } })) === null) ended = true;
  };
  const next = () => {
    timer = setTimeout(() => {
      if (ended || state.left) return;
      // A store that is away for a moment is asked again.
      renewal = renew()
        .catch(() => {})
        .finally(() => {
          if (!ended) next();
        });
    }, leaseMs / 3);
    timer.unref();
  };
  next();
  return () => {
    ended = true;
    clearTimeout(timer);
    return renewal;
  };
}
