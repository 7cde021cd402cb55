import { LENGTH_COMMANDS, type SizedType } from '@/lib/redis/keys/length-commands';
import { CommandBatch } from '@/lib/redis/protocol/encode-page';
import type { ScanCapabilities } from '@/lib/redis/server/scan-capabilities';

/** The raw column that a fact's reply is written to. */
type FactColumn = 'bytes' | 'encodings' | 'idleSeconds' | 'freq' | 'expiry' | 'types';

/**
 * The commands sent for every key, in this order. None of them resets the idle time; TYPE comes last, so that its
 * `none` means that the key was gone by the end, whatever the others saw. MEMORY USAGE uses its default of five
 * samples: SAMPLES 0 took 276–359 ms on a hash of 1–2 million fields.
 */
export interface FactsPlan {
  columns: FactColumn[];
  group: CommandBatch;
  /** The same commands, each with ASKING, for a slot that is being imported. */
  asking: CommandBatch;
  /** The expiry column holds milliseconds left instead of epoch ms. */
  expiryIsRelative: boolean;
  lengths: ReadonlyMap<SizedType, CommandBatch>;
  /** Requesting lengths disturbs no idle times here. */
  lengthsAreFree: boolean;
  /** Checks whether a small integer is a separate object; null = not needed, or not permitted. */
  refcount: CommandBatch | null;
  /** The idle time of a shared integer is that of the server's shared object, not of the key. */
  sharedIntegers: boolean;
}

export function planFacts(facts: 'basic' | 'full', can: ScanCapabilities, lengthsAreFree: boolean): FactsPlan {
  const full = facts === 'full';
  const wanted: [boolean, FactColumn, string[]][] = [
    [can.memoryUsage, 'bytes', ['MEMORY', 'USAGE']],
    [full && can.objectEncoding, 'encodings', ['OBJECT', 'ENCODING']],
    [full && can.objectIdle, 'idleSeconds', ['OBJECT', 'IDLETIME']],
    [full && can.objectFreq, 'freq', ['OBJECT', 'FREQ']],
    [can.pexpiretime, 'expiry', ['PEXPIRETIME']],
    [can.pttl && !can.pexpiretime, 'expiry', ['PTTL']],
    [can.type, 'types', ['TYPE']],
  ];
  const sharedIntegers = full && can.objectIdle && can.sharedIntegers;
  const permitted = wanted.filter(([isPermitted]) => isPermitted);
  const commands = permitted.map(([, , command]) => command);
  const lengths = Object.entries(LENGTH_COMMANDS).filter(([type]) => full && can.lengths[type as SizedType] === true);
  return {
    columns: permitted.map(([, column]) => column),
    group: new CommandBatch(commands),
    asking: new CommandBatch(commands, true),
    expiryIsRelative: !can.pexpiretime,
    lengths: new Map(lengths.map(([type, command]) => [type as SizedType, new CommandBatch([[command]])])),
    lengthsAreFree,
    refcount:
      sharedIntegers && can.objectRefcount && !lengthsAreFree ? new CommandBatch([['OBJECT', 'REFCOUNT']]) : null,
    sharedIntegers,
  };
}

/** The types that an encoding can have; an encoding that is not listed is not judged (modules, newer servers). */
const TYPES_OF_ENCODING = new Map<string, readonly string[]>([
  ['raw', ['string', 'vectorset', 'array']],
  ['embstr', ['string']],
  ['int', ['string']],
  ['quicklist', ['list']],
  ['linkedlist', ['list']],
  ['ziplist', ['list', 'hash', 'zset']],
  ['listpack', ['list', 'hash', 'zset', 'set']],
  ['hashtable', ['hash', 'set']],
  ['intset', ['set']],
  ['skiplist', ['zset']],
]);

/** Returns false when the two cannot belong to one value: the key was replaced between the two commands. */
export function isPossibleEncoding(encoding: string | null, type: string | null): boolean {
  if (encoding === null || type === null) return true;
  const types = TYPES_OF_ENCODING.get(encoding);
  return types === undefined || types.includes(type) || !(type in LENGTH_COMMANDS);
}
