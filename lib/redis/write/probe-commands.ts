import { formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import type { WritingChannel } from './types';
import { isUnknownCommand, WriteFailure } from './write-failure';

/** Which of the commands that not every server supports this server supports. */
export interface ServerCommands {
  /**
   * unlink: keys are freed in the background · del: there is no UNLINK, keys are emptied first · denied: neither may be
   * sent.
   */
  freeCommand: 'unlink' | 'del' | 'denied';
  memoryUsage: boolean;
  pexpiretime: boolean;
  /** The server supports XTRIM MINID; otherwise entries are removed by XDEL. */
  trimsById: boolean;
  /** DUMP and RESTORE, the only commands that can restore vector sets and arrays. */
  dumps: boolean;
}

/** The version that introduced each command, for servers that deny COMMAND INFO; 400 = 4.0. */
const SINCE = { UNLINK: 400, DEL: 100, MEMORY: 400, PEXPIRETIME: 700, DUMP: 206, RESTORE: 206 } as const;
/** The version that introduced XTRIM MINID, which COMMAND INFO does not show. */
const TRIMS_BY_ID = 602;
type Name = keyof typeof SINCE;
const NAMES = Object.keys(SINCE) as Name[];

/**
 * Asks with COMMAND INFO, which also reflects renamed commands; otherwise the version decides. Whether a command is
 * denied to this user shows only when it is sent: this is done with an internal name that does not exist, and only if
 * writes are allowed.
 */
export async function probeCommands(
  channel: WritingChannel,
  { version, mayWrite }: { version: string | null; mayWrite: boolean },
): Promise<ServerCommands> {
  const versionNumber = toVersionNumber(version);
  const known = await readCommandInfo(channel);
  const isSince = (since: number) => versionNumber === null || versionNumber >= since;
  const has = (name: Name) => known?.has(name) ?? isSince(SINCE[name]);
  const command = has('UNLINK') ? 'unlink' : has('DEL') ? 'del' : 'denied';
  return {
    freeCommand: command !== 'denied' && mayWrite ? await probeFreeCommand(channel, command) : command,
    memoryUsage: has('MEMORY'),
    pexpiretime: has('PEXPIRETIME'),
    dumps: has('DUMP') && has('RESTORE'),
    trimsById: isSince(TRIMS_BY_ID),
  };
}

async function probeFreeCommand(
  channel: WritingChannel,
  command: 'unlink' | 'del',
): Promise<ServerCommands['freeCommand']> {
  const nowhere = formatTombstoneName(computeSlot(Buffer.from('probe')), 'probe', 0);
  const [reply] = await channel.callAll([[command.toUpperCase(), nowhere]]);
  if (isUnknownCommand(reply)) return command === 'unlink' ? probeFreeCommand(channel, 'del') : 'denied';
  // Other errors, such as another node's slot or a busy server, say nothing about the command.
  return reply instanceof WriteFailure && reply.kind === 'denied' ? 'denied' : command;
}

/** Returns those of NAMES that the server has; null = COMMAND INFO is denied. */
async function readCommandInfo(channel: WritingChannel): Promise<Set<Name> | null> {
  const [reply] = await channel.callAll([['COMMAND', 'INFO', ...NAMES]]);
  if (!Array.isArray(reply) || reply.length !== NAMES.length) return null;
  return new Set(NAMES.filter((_, index) => Array.isArray(reply[index])));
}

/** Returns a version as a number, such as 602 for 6.2; null = the version is unknown. */
function toVersionNumber(version: string | null): number | null {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}
