import type { ErrorCode } from '@/lib/model/errors';
import type { RedisReplyError } from './any-reply';

/**
 * What an error reply means. moved/ask: another node serves the slot · transient: TRYAGAIN CLUSTERDOWN LOADING
 * MASTERDOWN BUSY NOREPLICAS MISCONF: wait and try again · not_master: READONLY · out_of_memory · denied: NOPERM or
 * unknown command · wrong_type: WRONGTYPE or CROSSSLOT · refused: any other.
 */
export type RefusalKind =
  | 'moved'
  | 'ask'
  | 'transient'
  | 'not_master'
  | 'out_of_memory'
  | 'denied'
  | 'wrong_type'
  | 'refused';

/** Of the whole server, whatever was asked: nothing read beside it can be trusted. How a person is informed of it. */
export interface ServerRefusal {
  code: ErrorCode;
  text: string;
}
interface Meaning {
  kind: RefusalKind;
  server?: ServerRefusal;
}

const ofServer = (code: ErrorCode, text: string, kind: RefusalKind = 'transient'): Meaning => ({
  kind,
  server: { code, text },
});

/** By the first word of the answer. A map: such a word may be `constructor`. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    MOVED: { kind: 'moved' },
    ASK: { kind: 'ask' },
    TRYAGAIN: { kind: 'transient' },
    CLUSTERDOWN: ofServer(
      'redis_unreachable',
      'The cluster is down: some slots have no node. Repair the cluster first.',
    ),
    LOADING: ofServer('redis_loading', 'The server is loading its data into memory.'),
    MASTERDOWN: ofServer(
      'redis_unreachable',
      'The server is a replica that has lost its master and does not serve stale data.',
    ),
    // It is there and answers nobody: what a timeout says, and what is done then.
    BUSY: ofServer('redis_timeout', 'The server is busy running a script. Try again when it has finished.'),
    NOREPLICAS: { kind: 'transient' },
    MISCONF: { kind: 'transient' },
    READONLY: { kind: 'not_master' },
    OOM: { kind: 'out_of_memory' },
    NOPERM: { kind: 'denied' },
    NOAUTH: ofServer('redis_auth_required', 'The server requires a password.', 'denied'),
    WRONGTYPE: { kind: 'wrong_type' },
    CROSSSLOT: { kind: 'wrong_type' },
  }),
);
const ANY_WORD = new RegExp(`\\b(${[...MEANINGS.keys()].join('|')})\\b`);

/** What a script may not do. */
const IN_SCRIPT = /ACL failure in script|can't run this command|after non deterministic commands/i;

/** By the first word alone: nothing behind it is looked at, for it may repeat what was sent. */
export const serverRefusal = (word: string): ServerRefusal | null => MEANINGS.get(word)?.server ?? null;

/** `code`: the first word of the answer where it is one that may be shown, else ERR. */
export function classifyRefusal(reply: RedisReplyError): {
  kind: RefusalKind;
  code: string;
  server: ServerRefusal | null;
} {
  const unknown = /unknown (?:redis |sub)?command/i.test(reply.message);
  // A script's error carries the command's own behind it; that of an unknown command the names that were sent.
  const inner = unknown ? undefined : ANY_WORD.exec(reply.message)?.[1];
  const code = MEANINGS.has(reply.code) ? reply.code : (inner ?? reply.code);
  const kind = MEANINGS.get(code)?.kind ?? (unknown || IN_SCRIPT.test(reply.message) ? 'denied' : 'refused');
  return { kind, code: /^[A-Z]{2,20}$/.test(code) ? code : 'ERR', server: serverRefusal(code) };
}
