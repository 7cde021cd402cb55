/**
 * Waits for two queries of one reader that run at the same time (Source.queryBeside). It settles when both have ended,
 * so that no connection is returned to the pool with a query running. Errors: the error of the first argument, else of
 * the second.
 */
export async function atOnce<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
