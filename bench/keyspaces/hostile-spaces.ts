import { keyAt, type MadeKey } from './keyspace';

/**
 * Keyspaces that no standard would allow and that teams have: names with nothing to group by, or with a group for every
 * key. The facts are those of the usual keyspace, only the names differ; every name is different.
 */
const letters = (n: number): string => {
  let text = '';
  // The words are spread over the alphabet, and each number still has a different word, because the multiplier is
  // coprime with 26^6.
  for (let rest = (n * 164_511_353) % 308_915_776, i = 0; i < 6; i++, rest = Math.floor(rest / 26))
    text += String.fromCharCode(97 + (rest % 26));
  return text;
};

const NAMES = {
  /** No delimiter; a number is joined to a word. */
  flat: (i: number) => `user_${i}`,
  /** No delimiter and no digit, so nothing folds. All names are different up to 308 million keys. */
  words: (i: number) => letters(i),
  /** Each key has a different first segment. */
  prefixes: (i: number) => `${letters(i)}:profile`,
  /** Each key has a different hash tag. */
  tags: (i: number) => `im:{room${i}}:members`,
} as const;

export const SPACES = ['usual', ...Object.keys(NAMES)] as ('usual' | keyof typeof NAMES)[];

export function keyOfSpace(space: (typeof SPACES)[number]): typeof keyAt {
  if (space === 'usual') return keyAt;
  return (index, keys, seed): MadeKey => ({ ...keyAt(index, keys, seed), name: NAMES[space](index) });
}
