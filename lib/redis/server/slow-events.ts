import { z } from 'zod';
import { toDisplayName } from '@/lib/model/keys/display-name';
import type { NodeAudit, SlowCommand } from '@/lib/model/servers/server-audit';
import type { AuditAsk } from './audit-commands';

const SLOWLOG_ENTRIES = 128;
const MAX_ARGS = 16;
const ARG_BYTES = 128;

const SLOWLOG = z.array(
  z.tuple([z.number(), z.number(), z.number(), z.array(z.union([z.string(), z.instanceof(Buffer)]))]).rest(z.unknown()),
);
const LATENCY = z.array(z.tuple([z.string(), z.number(), z.number(), z.number()]).rest(z.unknown()));

/**
 * Reads slow commands, newest first; times as epoch ms. null = refused, or not in the format of Redis. Source: SLOWLOG
 * GET.
 */
export async function readSlowlog(ask: AuditAsk): Promise<SlowCommand[] | null> {
  const entries = SLOWLOG.safeParse(await ask('SLOWLOG GET', SLOWLOG_ENTRIES));
  if (!entries.success) return null;
  return entries.data.map(([, at, microseconds, words]) => {
    const [command, ...args] = words.map(shortenWord);
    const name = (command ?? '').toUpperCase();
    return { at: at * 1000, microseconds, command: name, args: hideValues(name, args) };
  });
}

/** Reads the newest and the slowest occurrence of each event; null = refused or malformed. Source: LATENCY LATEST. */
export async function readLatency(ask: AuditAsk): Promise<NodeAudit['latency']> {
  const events = LATENCY.safeParse(await ask('LATENCY LATEST'));
  if (!events.success) return null;
  return events.data.map(([event, at, lastMs, maxMs]) => ({ event, at: at * 1000, lastMs, maxMs }));
}

/**
 * The arguments of these commands are ranges and patterns. For all others only the key is kept, because the rest may be
 * values.
 */
const RANGE_READERS = /^(Z(REV)?RANGE.*|ZCOUNT|LRANGE|GETRANGE|X(REV)?RANGE|KEYS|[HSZ]?SCAN|SORT|HGETALL|SMEMBERS)$/;

/** The first argument of these commands is not a key but a script, a message or a password. */
const KEYLESS = /^(EVAL.*|FCALL.*|SCRIPT|FUNCTION|ECHO|PING|AUTH|HELLO|PUBLISH|SPUBLISH|MIGRATE)$/;
/** In these commands a lexicographic bound or a pattern is an element or a part of one. */
const BY_ELEMENT = /^(Z(REV)?RANGE(BYLEX|STORE)?|[HSZ]SCAN)$/;
const HIDDEN = '…';

/** Replaces those bounds and patterns by an ellipsis. `args` are the words after the command. */
function hideElements(command: string, args: string[]): string[] {
  if (!BY_ELEMENT.test(command)) return args;
  // The position of the pattern, which follows the word MATCH; 0 = there is none.
  const pattern = /SCAN$/.test(command) ? args.findIndex((word) => word.toLowerCase() === 'match') + 1 : 0;
  const byLex = /LEX$/.test(command) || args.some((word) => word.toLowerCase() === 'bylex');
  return args.map((word, at) => {
    if (pattern > 0 && at === pattern) return HIDDEN;
    return at > 0 && byLex && /^[[(]./.test(word) ? `${word[0]}${HIDDEN}` : word;
  });
}

function hideValues(command: string, words: string[]): string[] {
  const args = hideElements(command, words);
  // The server itself omits arguments beyond 32 and adds how many those were.
  const omitted = Number(/^\.\.\. \((\d+) more arguments?\)$/.exec(args.at(-1) ?? '')?.[1] ?? 0);
  const given = omitted > 0 ? args.slice(0, -1) : args;
  const kept = given.slice(0, RANGE_READERS.test(command) ? MAX_ARGS : KEYLESS.test(command) ? 0 : 1);
  const more = given.length - kept.length + omitted;
  return more > 0 ? [...kept, `... (${more} more arguments)`] : kept;
}

function shortenWord(word: string | Buffer): string {
  const bytes = Buffer.from(word as string);
  const { name } = toDisplayName(bytes.subarray(0, ARG_BYTES));
  return bytes.length > ARG_BYTES ? `${name}…` : name;
}
