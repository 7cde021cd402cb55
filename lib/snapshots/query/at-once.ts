/**
 * Questions of one reader beside each other (Source.queryBeside). Ends when none of them is at work any more, so that
 * no connection is given back with a question on it. Errors: that of the first in their order that has one.
 */
export async function atOnce<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
