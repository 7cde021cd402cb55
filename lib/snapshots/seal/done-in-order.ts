/**
 * Does `work` on some things, `atOnce` of them beside each other; `done` hears of the results one by one, in the order
 * of the things. Ends when nothing is at work any more; errors: the first of `work` or `done`, behind which none
 * begins.
 */
export async function doneInOrder<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T, index: number) => Promise<R>,
  done: (result: R, index: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<R>[] = [];
  let hasFailed = false;
  const begin = () => {
    const index = begun.length;
    const result = work(things[index]!, index);
    // It may fail while one before it is awaited.
    result.catch(() => {
      hasFailed = true;
    });
    begun.push(result);
  };
  try {
    for (let index = 0; index < things.length; index++) {
      while (!hasFailed && begun.length < Math.min(things.length, index + atOnce)) begin();
      await done(await begun[index]!, index);
    }
  } finally {
    await Promise.allSettled(begun);
  }
}
