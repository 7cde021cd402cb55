import { keyAt, type MadeKey } from './keyspace';

/**
 * Keyspaces that no standard would allow and that teams have: nothing to group by, or a group for every key. Facts are
 * those of the usual keyspace, only names differ; every name is different.
 */
const letters = (n: number): string => {
  let text = '';
  // Scattered over the alphabet, and still one word for one number: the multiplier is coprime with 26^6.
  for (let rest = (n * 164_511_353) % 308_915_776, i = 0; i < 6; i++, rest = Math.floor(rest / 26))
    text += String.fromCharCode(97 + (rest % 26));
  return text;
};

const NAMES = {
  /** No delimiter; a number joined to a word. */
  flat: (i: number) => `user_${i}`,
  /** No delimiter and no digit: nothing folds. Different up to 308 million keys. */
  words: (i: number) => letters(i),
  /** A first segment for every key. */
  prefixes: (i: number) => `${letters(i)}:profile`,
  /** A hash tag for every key. */
  tags: (i: number) => `im:{room${i}}:members`,
} as const;

export const SPACES = ['usual', ...Object.keys(NAMES)] as ('usual' | keyof typeof NAMES)[];

export function keyOfSpace(space: (typeof SPACES)[number]): typeof keyAt {
  if (space === 'usual') return keyAt;
  return (index, keys, seed): MadeKey => ({ ...keyAt(index, keys, seed), name: NAMES[space](index) });
}
