/**
 * Reads the facts of single keys, for the page of a key and before every write; nothing else does. (A scan reads pages
 * of keys over its own channel.) Commands that disturb nothing come first: MEMORY USAGE, OBJECT, PTTL and TYPE do not
 * count as a read. TYPE is the last of them, so that its `none` means that the key was gone by the end, whatever the
 * others saw. The element count does count as a read and comes after them. A server that does not know a command (no
 * MEMORY USAGE before 4.0, no PEXPIRETIME before 7.0) and a user who may not send it are treated alike: that fact is
 * unknown, null, and the reason is in `refused`.
 */

import { parseServerTime, readTimeByInfo } from '@/lib/redis/info/server-clock';
import { isSizedType, LENGTH_COMMANDS, mayExceed } from '@/lib/redis/keys/length-commands';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { RefusalKind } from '@/lib/redis/protocol/classify-refusal';
import { judgeFacts, type OneKeyFacts } from './judge-facts';

/** The connection that the facts are read on. */
export interface FactsSource {
  /** Sends several commands in one write; error replies are returned as values. */
  callAll(commands: readonly (readonly (string | Buffer)[])[]): Promise<(Reply | Error)[]>;
  /** Classifies an error reply among the results of `callAll`. */
  classifyError(error: Error): RefusalKind;
}

export interface FactsWanted {
  /**
   * Read the element count always, or only if the memory makes it relevant or is unknown: counting resets the idle
   * time.
   */
  length: 'always' | 'where_it_matters';
  /**
   * `moment`: epoch ms by the clock of the server, which is read too. `left`: ms until expiry, without a further
   * command.
   */
  expiry: 'moment' | 'left';
  /** Whether to read the access frequency too; users for deletions have no right to it. */
  frequency: boolean;
}

type Command = readonly (string | Buffer)[];

/**
 * Returns facts in the order of `names`, with at most two writes if nothing is denied. Throws the error reply, as the
 * source made it, if another node serves a key or the server cannot answer now, because that says nothing about a key.
 */
export async function queryKeyFacts(
  source: FactsSource,
  names: readonly Buffer[],
  wanted: FactsWanted,
): Promise<OneKeyFacts[]> {
  if (names.length === 0) return [];
  const needsMoment = wanted.expiry === 'moment';
  const buildCommands = (name: Buffer): [string, Command][] => [
    ['bytes', ['MEMORY', 'USAGE', name]],
    ['idle', ['OBJECT', 'IDLETIME', name]],
    ...(wanted.frequency ? ([['freq', ['OBJECT', 'FREQ', name]]] as [string, Command][]) : []),
    ['encoding', ['OBJECT', 'ENCODING', name]],
    ['ttl', ['PTTL', name]],
    ...(needsMoment ? ([['expireAt', ['PEXPIRETIME', name]]] as [string, Command][]) : []),
    ['type', ['TYPE', name]],
  ];
  const columns = buildCommands(Buffer.alloc(0)).map(([column]) => column);
  // The clock is read first, so that the facts are never older than it.
  const clock: Command[] = needsMoment ? [['TIME']] : [];
  const replies = await askChecked(source, [
    ...clock,
    ...names.flatMap((name) => buildCommands(name).map(([, command]) => command)),
  ]);
  const answers = replies.slice(clock.length);
  const now = needsMoment ? (parseServerTime(replies[0]) ?? (await readTimeByInfo(source))) : null;
  const facts = names.map((_, index) => {
    const own = answers.slice(index * columns.length, (index + 1) * columns.length);
    return judgeFacts(Object.fromEntries(columns.map((column, i) => [column, own[i]])), now);
  });
  await askFurther(source, names, facts, wanted);
  return facts;
}

/**
 * Reads what depends on the first answers: lengths, whether a small integer is shared, and the expiry if PTTL is
 * denied.
 */
async function askFurther(
  source: FactsSource,
  names: readonly Buffer[],
  facts: OneKeyFacts[],
  wanted: FactsWanted,
): Promise<void> {
  const commands: Command[] = [];
  const handlers: ((answer: Reply | Error | undefined) => void)[] = [];
  const request = (command: Command, handle: (typeof handlers)[number]) => {
    commands.push(command);
    handlers.push(handle);
  };
  facts.forEach((key, index) => {
    const name = names[index] as Buffer;
    const { type } = key;
    if (isSizedType(type)) {
      const isRelevant = key.bytes === null || mayExceed(type, key.encoding, key.bytes);
      if (wanted.length === 'always' || isRelevant)
        request([LENGTH_COMMANDS[type], name], (answer) => {
          const length = toNumber(answer);
          key.length = length !== null && length >= 0 ? length : null;
        });
    }
    if (isSmallInteger(key))
      request(['OBJECT', 'REFCOUNT', name], (answer) => {
        if (toNumber(answer) !== 1) key.idleSeconds = null;
      });
    if (wanted.expiry === 'left' && key.exists && key.refused.ttl) {
      let clock: number | null = null;
      request(['TIME'], (answer) => {
        clock = parseServerTime(answer);
      });
      request(['PEXPIRETIME', name], (answer) => {
        const at = toNumber(answer);
        const isKnown = at !== null && at >= 0 && clock !== null;
        if (at === -1 || isKnown) key.expiryKnown = true;
        if (isKnown) key.ttlMs = Math.max(0, at - (clock ?? 0));
      });
    }
  });
  if (commands.length === 0) return;
  const answers = await askChecked(source, commands);
  for (const [index, handle] of handlers.entries()) handle(answers[index]);
}

/**
 * The server may store small integers, up to 9999, as one object for all keys that have the value. The idle time that
 * it reports is then that of the shared object.
 */
const SHARED_DIGITS = 4;
const isSmallInteger = ({ type, encoding, length }: OneKeyFacts) =>
  type === 'string' && encoding === 'int' && (length === null || length <= SHARED_DIGITS);

/** Throws the first error reply that is not about a single key. */
async function askChecked(source: FactsSource, commands: Command[]): Promise<(Reply | Error)[]> {
  const answers = await source.callAll(commands);
  for (const answer of answers)
    if (answer instanceof Error && !KEY_ERRORS.has(source.classifyError(answer))) throw answer;
  return answers;
}

/** These errors concern one key. wrong_type: the key was replaced between two commands. */
const KEY_ERRORS: ReadonlySet<RefusalKind> = new Set(['denied', 'refused', 'wrong_type']);

const toNumber = (reply: Reply | Error | undefined) => (typeof reply === 'number' ? reply : null);
