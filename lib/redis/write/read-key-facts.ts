import { encodingOf } from '@/lib/redis/keys/encoding';
import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { timeByInfo, timeOf } from './server-time';
import type { KeyFacts, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/**
 * What a key is, just before something is done to it. MEMORY USAGE comes first: it neither expires nor touches the key.
 * The element count does touch it, and comes last; the key is about to change anyway. null = could not be read.
 */
export async function readKeyFacts(channel: WritingChannel, name: Buffer): Promise<KeyFacts> {
  const [look] = await readFactsOfKeys(channel, [name]);
  if (!look) throw new Error('No answer about a key.');
  return look;
}

const ASKED = 6;

/** Many keys of one node and database in two writes. Throws where one of them is denied to our user. */
export async function readFactsOfKeys(channel: WritingChannel, names: readonly Buffer[]): Promise<KeyFacts[]> {
  return (await readFactsOfEach(channel, names)).map((look) => {
    if (look instanceof WriteFailure) throw look;
    return look;
  });
}

/** As above, but one that is denied says so in its place: it is no reason to know nothing of the others. */
export async function readFactsOfEach(
  channel: WritingChannel,
  names: readonly Buffer[],
): Promise<(KeyFacts | WriteFailure)[]> {
  if (names.length === 0) return [];
  const [time, ...answers] = await channel.callAll([
    ['TIME'],
    ...names.flatMap((name) => [
      ['MEMORY', 'USAGE', name],
      ['PTTL', name],
      ['PEXPIRETIME', name],
      ['TYPE', name],
      ['OBJECT', 'ENCODING', name],
      ['OBJECT', 'IDLETIME', name],
    ]),
  ]);
  const now = timeOf(time) ?? (await timeByInfo(channel));
  const looks = names.map((_, index) => lookOf(answers.slice(index * ASKED, (index + 1) * ASKED), now));
  const sized = looks.flatMap((look, index) => {
    const name = names[index];
    return name && !(look instanceof WriteFailure) && isSizedType(look.type)
      ? [{ look, name, command: LENGTH_COMMANDS[look.type] }]
      : [];
  });
  if (sized.length === 0) return looks;
  const lengths = await channel.callAll(sized.map(({ command, name }) => [command, name]));
  sized.forEach(({ look }, index) => {
    look.length = number(lengths[index]);
  });
  return looks;
}

function lookOf(answers: (Reply | Error)[], now: number | null): KeyFacts | WriteFailure {
  const [memory, pttl, pexpiretime, type, encoding, idle] = answers;
  // Another node, a server that cannot answer: not a fact about the key.
  for (const answer of [type, pttl])
    if (answer instanceof WriteFailure && answer.kind !== 'denied' && answer.kind !== 'refused') throw answer;
  if (type instanceof WriteFailure && type.kind !== 'denied') throw type;
  if (type instanceof WriteFailure) return type;
  const typeName = text(type);
  const gone = typeName === 'none' || number(pttl) === -2;
  const ttl = number(pttl);
  const at = number(pexpiretime);
  // Without a clock of the server ours stands in; nothing is set from it then.
  const left = ttl !== null && ttl >= 0 ? (now ?? Date.now()) + ttl : null;
  return {
    at: now,
    type: gone ? null : typeName,
    encoding: gone ? null : encodingOf(typeName, text(encoding)),
    length: null,
    bytes: number(memory),
    expireAt: at !== null && at >= 0 ? at : at === null ? left : null,
    expiryKnown: ttl !== null || at !== null,
    idleSeconds: number(idle),
  };
}

const text = (reply: Reply | Error | undefined) => (Buffer.isBuffer(reply) ? reply.toString('latin1') : null);
const number = (reply: Reply | Error | undefined) => (typeof reply === 'number' ? reply : null);
