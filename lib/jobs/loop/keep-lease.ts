import { readStoreNow, type StoredJob, updateJobFenced } from '@/lib/store/jobs';

/**
 * Renews a lease until the returned function is called, which resolves when no renewal is running any more. If another
 * holder has the lease, renewing stops; writes under its fence are refused anyway.
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
    const until = (await readStoreNow()) + leaseMs;
    if ((await updateJobFenced(id, { owner, fence }, { lease: { owner, fence, until } })) === null) ended = true;
  };
  const next = () => {
    timer = setTimeout(() => {
      if (ended || state.left) return;
      // If the store is away for a moment, the renewal is tried again.
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
