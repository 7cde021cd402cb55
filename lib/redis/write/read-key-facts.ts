import { type FactsWanted, queryKeyFacts } from '@/lib/redis/key-facts/query-key-facts';
import type { KeyFacts, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/** Reads the facts of a key just before something is done to it. null = could not be read. */
export async function readKeyFacts(channel: WritingChannel, name: Buffer): Promise<KeyFacts> {
  const [facts] = await readFactsOfKeys(channel, [name]);
  if (!facts) throw new Error('No answer about a key.');
  return facts;
}

/** Reads many keys of one node and database in two writes. Throws if one of them is denied to this user. */
export async function readFactsOfKeys(channel: WritingChannel, names: readonly Buffer[]): Promise<KeyFacts[]> {
  return (await readFactsOfEach(channel, names)).map((facts) => {
    if (facts instanceof WriteFailure) throw facts;
    return facts;
  });
}

/**
 * Like `readFactsOfKeys`, but the failure of a denied key is returned in its place, so that the facts of the others are
 * still known. Counting elements resets the idle time: this matters little if the key is about to change, but much if
 * the facts are only displayed.
 */
export async function readFactsOfEach(
  channel: WritingChannel,
  names: readonly Buffer[],
  length: FactsWanted['length'] = 'always',
): Promise<(KeyFacts | WriteFailure)[]> {
  const facts = await queryKeyFacts(
    {
      callAll: (commands) => channel.callAll(commands),
      classifyError: (error) =>
        error instanceof WriteFailure && error.kind !== 'unknown_outcome' ? error.kind : 'refused',
    },
    names,
    { length, expiry: 'moment', frequency: false },
  );
  return facts.map(({ at, type, encoding, length, bytes, expireAt, expiryKnown, idleSeconds, refused }) => {
    // Without its type a key is not known well enough to be written to.
    if (refused.type instanceof WriteFailure && refused.type.kind !== 'denied') throw refused.type;
    if (refused.type instanceof WriteFailure) return refused.type;
    return { at, type, encoding, length, bytes, expireAt, expiryKnown, idleSeconds };
  });
}
