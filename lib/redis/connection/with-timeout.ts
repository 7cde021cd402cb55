/**
 * Returns the promise's result, or throws `late()` after `ms` milliseconds. The promise itself continues; a failure of
 * it after that is ignored.
 */
export async function withTimeout<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  promise.catch(() => undefined);
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late()), Math.max(0, ms));
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
