/**
 * Finds out which commands this user may send, by sending them harmlessly: each names a key that does not exist, so
 * nothing is read, written or touched, and SCAN gets a pattern that matches nothing, because SCAN deletes expired keys
 * that it would have to return. Asking the server (COMMAND INFO, ACL DRYRUN) may itself be denied.
 */

import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Capability } from '@/lib/model/servers/server-facts';
import { isReplyError, toConnectionError } from '@/lib/redis/connection/connection-errors';
import { buildErrorContext } from '@/lib/redis/connection/node-client';
import type { RedisSession } from '@/lib/redis/connection/session';
import { readInfo } from '@/lib/redis/connection/topology/node-facts';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { classifyRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { ScanCapabilities } from './scan-capabilities';

type Status = Capability['status'];
type Lost = Capability['lost'];

interface Probe {
  command: string;
  /** The arguments to send; `nowhere` is the name of a key that does not exist. */
  args: (nowhere: string) => string[];
  /** Says what Colonnade cannot show without the command. */
  lost: Lost;
  required?: boolean;
  /** Newer than some servers: nothing is lost if the command is unknown, because there is another way. */
  optional?: boolean;
  /** Reads a type that was added later: if the command is unknown, no such keys exist, and nothing is lost. */
  late?: boolean;
}

const buildKeyArgs = (nowhere: string) => [nowhere];

const PROBES: Probe[] = [
  { command: 'SCAN', args: (nowhere) => ['0', 'MATCH', nowhere, 'COUNT', '1'], lost: 'scan', required: true },
  { command: 'TYPE', args: buildKeyArgs, lost: 'type' },
  { command: 'PTTL', args: buildKeyArgs, lost: 'ttl' },
  { command: 'PEXPIRETIME', args: buildKeyArgs, lost: 'none', optional: true },
  { command: 'MEMORY USAGE', args: buildKeyArgs, lost: 'bytes' },
  { command: 'OBJECT ENCODING', args: buildKeyArgs, lost: 'encoding' },
  { command: 'OBJECT IDLETIME', args: buildKeyArgs, lost: 'idle' },
  { command: 'OBJECT FREQ', args: buildKeyArgs, lost: 'freq' },
  { command: 'OBJECT REFCOUNT', args: buildKeyArgs, lost: 'none', optional: true },
  { command: 'STRLEN', args: buildKeyArgs, lost: 'length' },
  { command: 'HLEN', args: buildKeyArgs, lost: 'length' },
  { command: 'LLEN', args: buildKeyArgs, lost: 'length' },
  { command: 'SCARD', args: buildKeyArgs, lost: 'length' },
  { command: 'ZCARD', args: buildKeyArgs, lost: 'length' },
  { command: 'XLEN', args: buildKeyArgs, lost: 'length' },
  { command: 'VCARD', args: buildKeyArgs, lost: 'length', late: true },
  { command: 'ARCOUNT', args: buildKeyArgs, lost: 'length', late: true },
  { command: 'CLIENT NO-TOUCH', args: () => ['OFF'], lost: 'no_touch', optional: true },
  { command: 'INFO', args: () => ['server'], lost: 'server_facts' },
  { command: 'DBSIZE', args: () => [], lost: 'none' },
  { command: 'ROLE', args: () => [], lost: 'none' },
  { command: 'CONFIG GET', args: () => ['lazyfree-lazy-expire'], lost: 'server_facts' },
];

/** Commands that are probed in addition on a cluster. */
const IN_CLUSTER: Probe[] = [
  { command: 'CLUSTER SHARDS', args: () => [], lost: 'none', optional: true },
  { command: 'CLUSTER SLOTS', args: () => [], lost: 'topology' },
  { command: 'READONLY', args: () => [], lost: 'none' },
];
const selectProbe = (db: number): Probe => ({ command: 'SELECT', args: () => [String(db)], lost: 'databases' });

/**
 * Probes the commands in database `db`, which should be one that will be read, because rights may differ between
 * databases (Valkey 9.1). `unanswered` is the error if the server answers nothing at the moment (its cluster is down,
 * it is loading); what it would permit is then unknown. null = it answers.
 */
export async function probeCapabilities(
  session: RedisSession,
  address: string,
  db = 0,
): Promise<{ scan: ScanCapabilities; list: Capability[]; unanswered: RedisReplyError | null }> {
  const client = await session.client(address, db);
  const node = session.nodes.find((one) => one.address === address);
  const where = buildErrorContext(session.target, node?.host ?? address, node?.port ?? 0);
  const nowhere = randomBytes(16).toString('hex');
  const probes = [...PROBES, ...(session.target.topology === 'cluster' ? IN_CLUSTER : [selectProbe(db)])];
  const answers = await Promise.all(probes.map((probe) => tryOut(client, probe, nowhere)));
  // A lost connection says nothing about rights.
  const failed = answers.find(({ failure }) => failure);
  if (failed) throw toConnectionError(failed.failure, where);

  const policy = await readEvictionPolicy(client);
  const info = await readInfo(client).catch(() => null);
  const maxmemory = Number(info?.get('maxmemory') ?? (await readConfigValue(client, 'maxmemory')));
  // null = the policy is not known.
  const isLfu = policy === null ? null : policy.includes('lfu');
  const status = new Map(probes.map((probe, index) => [probe.command, answers[index]?.status ?? 'untested']));
  const can = (command: string) => status.get(command) === 'allowed';

  const list = probes.flatMap((probe): Capability[] => {
    const found = status.get(probe.command) as Status;
    // A server supports only one of the two, depending on its eviction policy.
    if (probe.command === 'OBJECT FREQ' && isLfu === false) return [];
    if (probe.command === 'OBJECT IDLETIME' && isLfu === true) return [];
    if (probe.late && found === 'unknown_command') return [];
    const lost = found === 'allowed' || probe.optional ? judgeLoss(probe, can) : probe.lost;
    return [{ command: probe.command, status: found, lost, required: probe.required ?? false }];
  });
  return {
    list,
    unanswered: answers.find(({ unanswered }) => unanswered)?.unanswered ?? null,
    scan: {
      memoryUsage: can('MEMORY USAGE'),
      objectEncoding: can('OBJECT ENCODING'),
      objectIdle: can('OBJECT IDLETIME') && isLfu !== true,
      objectFreq: can('OBJECT FREQ') && isLfu === true,
      objectRefcount: can('OBJECT REFCOUNT'),
      sharedIntegers: !(maxmemory > 0 && /l[rf]u$/.test(policy ?? '')),
      pexpiretime: can('PEXPIRETIME'),
      pttl: can('PTTL'),
      type: can('TYPE'),
      lengths: {
        string: can('STRLEN'),
        hash: can('HLEN'),
        list: can('LLEN'),
        set: can('SCARD'),
        zset: can('ZCARD'),
        stream: can('XLEN'),
        vectorset: can('VCARD'),
        array: can('ARCOUNT'),
      },
      noTouch: can('CLIENT NO-TOUCH'),
      scan: can('SCAN'),
      denied: list.filter((one) => one.status === 'denied').map((one) => one.command),
    },
  };
}

/** Returns what is really lost: an expiry can be read by either command, so it is lost only if both are missing. */
function judgeLoss(probe: Probe, can: (command: string) => boolean): Lost {
  if (can(probe.command)) return 'none';
  return probe.command === 'PEXPIRETIME' && !can('PTTL') ? 'ttl' : probe.lost;
}

interface Answer {
  status: Status;
  /** The error reply of a server that answers nothing at the moment. */
  unanswered?: RedisReplyError;
  /** The failure of the connection. */
  failure?: unknown;
}

async function tryOut(client: Redis, probe: Probe, nowhere: string): Promise<Answer> {
  const [name, ...sub] = probe.command.split(' ');
  try {
    await client.call(name as string, ...sub, ...probe.args(nowhere));
    return { status: 'allowed' };
  } catch (error) {
    if (!isReplyError(error)) return { status: 'untested', failure: error };
    const status = judgeError(error.message);
    return status === 'untested' ? { status, unanswered: new RedisReplyError(error.message) } : { status };
  }
}

/**
 * Rights on keys are checked after rights on the command, so such an error means that the command may run on other
 * keys. The message must begin with these words, because a user name may follow later in it and may contain anything.
 */
const KEY_DENIED = /^NOPERM (?:this user has no permissions to access one of the keys|No permissions to access a key)/i;
const UNKNOWN =
  /^ERR (?:unknown (?:sub)?command|Unknown (?:sub)?command)|^ERR .*unknown subcommand|^ERR Syntax error, try/i;

/**
 * Returns what an error means for a command that can fail only by being refused, because its key does not exist. So
 * whatever the message is (proxies and clouds have many), it means denied, unless the key belongs to another node
 * (allowed) or the server answers nothing at the moment (untested).
 */
function judgeError(message: string): Status {
  if (KEY_DENIED.test(message)) return 'allowed';
  if (UNKNOWN.test(message)) return 'unknown_command';
  const { kind } = classifyRefusal(new RedisReplyError(message));
  if (kind === 'moved' || kind === 'ask') return 'allowed';
  return kind === 'transient' ? 'untested' : 'denied';
}

/** Returns the maxmemory-policy of a node; INFO reports it too, if CONFIG is denied. null = unknown. */
export async function readEvictionPolicy(client: Redis): Promise<string | null> {
  const info = await readInfo(client).catch(() => null);
  const reported = info?.get('maxmemory_policy');
  if (reported) return reported;
  return readConfigValue(client, 'maxmemory-policy');
}

/** Returns one CONFIG value, or null if it may not be read or does not exist. */
export async function readConfigValue(client: Redis, name: string): Promise<string | null> {
  try {
    const [, value] = (await client.call('CONFIG', 'GET', name)) as string[];
    return value ?? null;
  } catch {
    return null;
  }
}
