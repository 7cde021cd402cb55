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
  let [atWork, heard] = [0, 0];
  let hasFailed = false;
  // Also while one is heard of, which may take as long as a disk likes; not so far ahead that results pile up.
  const begin = () => {
    while (!hasFailed && atWork < atOnce && begun.length < Math.min(things.length, heard + 2 * atOnce)) {
      const index = begun.length;
      atWork++;
      const result = work(things[index]!, index);
      begun.push(result);
      const end = (failed: boolean) => {
        atWork--;
        hasFailed ||= failed;
        begin();
      };
      // It may fail while one before it is awaited.
      result.then(
        () => end(false),
        () => end(true),
      );
    }
  };
  try {
    for (; heard < things.length; heard++) {
      begin();
      await done(await begun[heard]!, heard);
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    await Promise.allSettled(begun);
  }
}
