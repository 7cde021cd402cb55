/**
 * Waits for two queries of one reader that run in parallel (Source.queryInParallel). It settles when both have ended,
 * so that no connection is returned to the pool with a query running. Errors: the error of the first argument, else of
 * the second.
 */
export async function waitForBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
