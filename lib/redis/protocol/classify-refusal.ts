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

const KINDS: Record<string, RefusalKind> = {
  MOVED: 'moved',
  ASK: 'ask',
  TRYAGAIN: 'transient',
  CLUSTERDOWN: 'transient',
  LOADING: 'transient',
  MASTERDOWN: 'transient',
  BUSY: 'transient',
  NOREPLICAS: 'transient',
  MISCONF: 'transient',
  READONLY: 'not_master',
  OOM: 'out_of_memory',
  NOPERM: 'denied',
  NOAUTH: 'denied',
  WRONGTYPE: 'wrong_type',
  CROSSSLOT: 'wrong_type',
};

/** `code`: the first word of the answer where it is one that may be shown, else ERR. */
export function classifyRefusal(reply: RedisReplyError): { kind: RefusalKind; code: string } {
  // A script's error carries the command's own behind it.
  const inner =
    /\b(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|LOADING|MASTERDOWN|NOREPLICAS|MISCONF|READONLY|OOM|NOPERM|WRONGTYPE|CROSSSLOT)\b/.exec(
      reply.message,
    );
  const code = KINDS[reply.code] ? reply.code : (inner?.[1] ?? reply.code);
  const unknown =
    /unknown (?:redis |sub)?command|ACL failure in script|can't run this command|after non deterministic commands/i.test(
      reply.message,
    );
  const kind = KINDS[code] ?? (unknown ? 'denied' : 'refused');
  return { kind, code: /^[A-Z]{2,20}$/.test(code) ? code : 'ERR' };
}
