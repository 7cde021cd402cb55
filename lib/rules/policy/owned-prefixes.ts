import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { endsInWord } from '@/lib/model/text/ends-in-word';

/**
 * The prefixes of teams as beginnings of names: `user` owns `user:1` and not `userAdmin:1`, so a prefix that ends in a
 * word gets the delimiter. A prefix that is registered with the delimiter comes last and therefore wins over the same
 * one without it.
 */
export function listOwnedPrefixes({ owners, profiles, base }: Pick<EffectivePolicy, 'owners' | 'profiles' | 'base'>) {
  const delimiter = profiles[base]?.body.delimiter ?? ':';
  const whole = owners.filter((owner) => endsInWord(owner.prefix));
  const asWritten = owners.filter((owner) => !endsInWord(owner.prefix));
  return [...whole.map(({ prefix, team }) => ({ prefix: prefix + delimiter, team })), ...asWritten];
}

/** The team in the field `owner` of a filter. null: keys without an owner (`-`); undefined: keys of any owner. */
export const parseOwner = (owner: string | undefined): string | null | undefined => (owner === '-' ? null : owner);
