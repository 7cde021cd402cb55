import { randomBytes } from 'node:crypto';
import { formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { LUA_NOW } from './server-time';
import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/**
 * command: RENAMENX is denied · tombstone: internal names are outside the user's key patterns · key: this key is ·
 * unknown: it could not be checked without writing.
 */
export type RenameAccess = 'allowed' | 'command' | 'tombstone' | 'key' | 'unknown';

/**
 * Checks whether a key like this one may be renamed to a tombstone. The server is asked with ACL DRYRUN. If that is not
 * possible, and only if writes are allowed, RENAMENX is sent for a similar name that does not exist.
 */
export async function probeRename(
  channel: WritingChannel,
  name: Buffer,
  options: { mayWrite: boolean },
): Promise<RenameAccess> {
  const nowhere = Buffer.concat([name, Buffer.from(`:${randomBytes(12).toString('hex')}`)]);
  return (
    (await probeByDryRun(channel, name)) ?? (options.mayWrite ? await probeByRenaming(channel, nowhere) : 'unknown')
  );
}

/** Whether scripts that read the server's clock are permitted. It is found out without a key and without writing. */
export async function probeScripts(channel: WritingChannel): Promise<boolean> {
  const [reply] = await channel.callAll([['EVAL', `${LUA_NOW}return now(0) and 1 or 0`, '0']]);
  // Other errors, such as a busy server, say nothing about the command.
  if (reply instanceof WriteFailure) return reply.kind !== 'denied' && reply.kind !== 'refused';
  return reply === 1;
}

async function probeByDryRun(channel: WritingChannel, name: Buffer): Promise<RenameAccess | null> {
  const tombstone = buildProbeName(name);
  try {
    const user = await channel.call(['ACL', 'WHOAMI']);
    if (!Buffer.isBuffer(user)) return null;
    const reply = await channel.call(['ACL', 'DRYRUN', user, 'RENAMENX', name, tombstone]);
    if (!Buffer.isBuffer(reply)) return null;
    if (reply.toString('latin1') === 'OK') return 'allowed';
    if (!/\bkey\b/i.test(reply.toString('latin1'))) return 'command';
    return reply.includes(tombstone) ? 'tombstone' : 'key';
  } catch (error) {
    if (error instanceof WriteFailure && (error.kind === 'denied' || error.kind === 'refused')) return null;
    throw error;
  }
}

async function probeByRenaming(channel: WritingChannel, nowhere: Buffer): Promise<RenameAccess> {
  const tombstone = buildProbeName(nowhere);
  try {
    await channel.call(['RENAMENX', nowhere, tombstone]);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind === 'unknown_outcome') throw error;
    // "no such key" or a slot of another node means that the command is allowed.
    if (error.kind !== 'denied') return 'allowed';
  }
  if (await isDenied(channel, tombstone)) return 'tombstone';
  return (await isDenied(channel, nowhere)) ? 'key' : 'command';
}

/** Any command on a key shows whether the user has rights on it. */
async function isDenied(channel: WritingChannel, key: Buffer): Promise<boolean> {
  const [reply] = await channel.callAll([['TYPE', key]]);
  return reply instanceof WriteFailure && reply.kind === 'denied';
}

const buildProbeName = (name: Buffer) => formatTombstoneName(computeSlot(name), 'probe', 0);
