import { type FactsWanted, factsOfKeys } from '@/lib/redis/key-facts/facts-of-keys';
import type { KeyFacts, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

const WANTED: Omit<FactsWanted, 'length'> = { expiry: 'moment', frequency: false };

/** What a key is, just before something is done to it. null = could not be read. */
export async function readKeyFacts(channel: WritingChannel, name: Buffer): Promise<KeyFacts> {
  const [look] = await readFactsOfKeys(channel, [name]);
  if (!look) throw new Error('No answer about a key.');
  return look;
}

/** Many keys of one node and database in two writes. Throws where one of them is denied to our user. */
export async function readFactsOfKeys(channel: WritingChannel, names: readonly Buffer[]): Promise<KeyFacts[]> {
  return (await readFactsOfEach(channel, names)).map((look) => {
    if (look instanceof WriteFailure) throw look;
    return look;
  });
}

/**
 * As above, but one that is denied says so in its place: it is no reason to know nothing of the others. Counting
 * elements renews the idle time, which matters little where the key is about to change, and much where somebody only
 * looks.
 */
export async function readFactsOfEach(
  channel: WritingChannel,
  names: readonly Buffer[],
  length: FactsWanted['length'] = 'always',
): Promise<(KeyFacts | WriteFailure)[]> {
  const facts = await factsOfKeys(
    {
      callAll: (commands) => channel.callAll(commands),
      kindOf: (error) => (error instanceof WriteFailure && error.kind !== 'unknown_outcome' ? error.kind : 'refused'),
    },
    names,
    { ...WANTED, length },
  );
  return facts.map(({ at, type, encoding, length, bytes, expireAt, expiryKnown, idleSeconds, refused }) => {
    // Without its type a key is not known well enough to be written to.
    if (refused.type instanceof WriteFailure && refused.type.kind !== 'denied') throw refused.type;
    if (refused.type instanceof WriteFailure) return refused.type;
    return { at, type, encoding, length, bytes, expireAt, expiryKnown, idleSeconds };
  });
}
