import type { ErrorCode } from '@/lib/model/errors';
import type { RedisReplyError } from './any-reply';

/** The meaning of an error reply; MEANINGS lists the replies of each kind. */
export type RefusalKind =
  /** Another node serves the slot. */
  | 'moved'
  | 'ask'
  /** It may work later. */
  | 'transient'
  /** The node is a replica. */
  | 'not_master'
  | 'out_of_memory'
  /** The user may not send the command, or the server does not know it. */
  | 'denied'
  | 'wrong_type'
  /** Any other error. */
  | 'refused';

/**
 * An error of the whole server, whatever was sent: other replies of that time cannot be trusted. Holds what a person is
 * shown.
 */
export interface ServerRefusal {
  code: ErrorCode;
  text: string;
}
interface Meaning {
  kind: RefusalKind;
  server?: ServerRefusal;
}

const buildServerMeaning = (code: ErrorCode, text: string, kind: RefusalKind = 'transient'): Meaning => ({
  kind,
  server: { code, text },
});

/** Meanings by the first word of the reply. It is a Map because such a word may be `constructor`. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries<Meaning>({
    MOVED: { kind: 'moved' },
    ASK: { kind: 'ask' },
    TRYAGAIN: { kind: 'transient' },
    CLUSTERDOWN: buildServerMeaning(
      'redis_cluster_down',
      'The cluster is down: some slots have no node. Repair the cluster first.',
    ),
    LOADING: buildServerMeaning('redis_loading', 'The server is loading its data into memory.'),
    MASTERDOWN: buildServerMeaning(
      'redis_unreachable',
      'The server is a replica that has lost its master and does not serve stale data.',
    ),
    // The server is up but answers nobody, so BUSY is treated like a timeout.
    BUSY: buildServerMeaning('redis_timeout', 'The server is busy running a script. Try again when it has finished.'),
    NOREPLICAS: { kind: 'transient' },
    MISCONF: { kind: 'transient' },
    READONLY: { kind: 'not_master' },
    OOM: { kind: 'out_of_memory' },
    NOPERM: { kind: 'denied' },
    NOAUTH: buildServerMeaning('redis_auth_required', 'The server requires a password.', 'denied'),
    WRONGTYPE: { kind: 'wrong_type' },
    CROSSSLOT: { kind: 'wrong_type' },
  }),
);
const ANY_WORD = new RegExp(`\\b(${[...MEANINGS.keys()].join('|')})\\b`);

/** Messages about commands that a script may not send. */
const IN_SCRIPT = /ACL failure in script|can't run this command|after non deterministic commands/i;

/**
 * Looks up the first word only: the rest of the message may repeat what was sent. null = not an error of the whole
 * server.
 */
export const findServerRefusal = (word: string): ServerRefusal | null => MEANINGS.get(word)?.server ?? null;

/** Classifies an error reply. `code` is the first word of the reply if it may be shown, otherwise ERR. */
export function classifyRefusal(reply: RedisReplyError): {
  kind: RefusalKind;
  code: string;
  server: ServerRefusal | null;
} {
  const unknown = /unknown (?:redis |sub)?command/i.test(reply.message);
  // A script's error contains the inner command's error; the error about an unknown command contains the names that
  // were sent.
  const inner = unknown ? undefined : ANY_WORD.exec(reply.message)?.[1];
  const code = MEANINGS.has(reply.code) ? reply.code : (inner ?? reply.code);
  const kind = MEANINGS.get(code)?.kind ?? (unknown || IN_SCRIPT.test(reply.message) ? 'denied' : 'refused');
  return { kind, code: /^[A-Z]{2,20}$/.test(code) ? code : 'ERR', server: findServerRefusal(code) };
}
