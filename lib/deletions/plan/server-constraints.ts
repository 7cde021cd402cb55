import type { RedisSession } from '@/lib/redis/connection/session';
import { canWriteAs } from '@/lib/redis/connection/write-user';
import { readLazyExpire } from '@/lib/redis/server/read-lazy-expire';
import { probeCommands, type ServerCommands } from '@/lib/redis/write/probe-commands';
import { probeRename, probeScripts, type RenameAccess } from '@/lib/redis/write/probe-rename';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { haveScriptsDeadlines } from '@/lib/redis/write/server-time';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';

/**
 * Properties of the servers that decide how keys can be deleted; the least favourable master counts. null = not known.
 */
export interface ServerConstraints {
  /**
   * `command` = RENAMENX is denied; `tombstone` = internal names are denied; `unknown` = it could not be checked
   * without writing.
   */
  rename: Exclude<RenameAccess, 'key'>;
  /**
   * Whether the script that compares a key and then renames or changes it may be run. True also where it could not be
   * checked, because the password of the write user is missing.
   */
  scripts: boolean;
  /** Whether such a script has a deadline on every master. */
  deadlines: boolean;
  /**
   * Whether a server evicts any key and is near its limit: an idle tombstone would be evicted, which blocks the server.
   */
  evictsSoon: boolean;
  lazyExpire: boolean | null;
  /** The commands that every master has. */
  commands: ServerCommands;
  replicas: number | null;
  keys: number | null;
  /** The fastest answer of the farthest master, which is about the network round trip, ms; null = none was measured. */
  roundTripMs: number | null;
}

/** A server is near its limit above this share of `maxmemory`. */
const NEAR_LIMIT_SHARE = 0.8;

/**
 * Reads the constraints as the write user. If its password is missing, only what the server supports is known, not what
 * that user may do. `names`: some names of the selection, because permissions depend on them. `mayWrite`: whether the
 * probe may send commands that write.
 */
export async function readServerConstraints(
  session: RedisSession,
  request: { names: readonly Buffer[]; mayWrite: boolean },
): Promise<ServerConstraints> {
  const hasWriteUser = canWriteAs(session.target);
  const probe = { ...request, mayWrite: request.mayWrite && hasWriteUser };
  const masters = session.nodes.filter((node) => node.role === 'master' && !session.problems.has(node.address));
  const constraints: ServerConstraints = {
    rename: 'allowed',
    scripts: true,
    deadlines: masters.every(({ version }) => haveScriptsDeadlines(version)),
    evictsSoon: false,
    lazyExpire: true,
    commands: { freeCommand: 'unlink', memoryUsage: true, pexpiretime: true, trimsById: true, dumps: true },
    replicas: 0,
    keys: 0,
    roundTripMs: null,
  };
  for (const node of masters) {
    const channel = await openWritingChannel(session, node.address, 0, { user: hasWriteUser ? 'write' : 'read' });
    try {
      const state = await readNodeState(channel);
      const { maxMemory, usedMemory, evictionPolicy } = state;
      if (evictionPolicy?.startsWith('allkeys') && maxMemory && usedMemory && usedMemory > maxMemory * NEAR_LIMIT_SHARE)
        constraints.evictsSoon = true;
      constraints.replicas =
        constraints.replicas === null || state.replicas === null ? null : constraints.replicas + state.replicas;
      constraints.commands = intersectCommands(
        constraints.commands,
        await probeCommands(channel, { version: node.version, ...probe }),
      );
      const rename = hasWriteUser ? await mayRename(channel, probe) : 'unknown';
      if (constraints.rename === 'allowed' || rename === 'command') constraints.rename = rename;
      if (hasWriteUser && !(await probeScripts(channel))) constraints.scripts = false;
    } finally {
      channel.close();
    }
    const { bestMs } = channel.stats;
    if (bestMs !== null) constraints.roundTripMs = Math.max(constraints.roundTripMs ?? 0, bestMs);
    const lazyExpire = await readLazyExpire(await session.client(node.address), node.version);
    if (lazyExpire !== true && constraints.lazyExpire !== false) constraints.lazyExpire = lazyExpire;
    constraints.keys = constraints.keys === null || node.keys === null ? null : constraints.keys + node.keys;
  }
  return constraints;
}

const FREE_COMMANDS = ['unlink', 'del', 'denied'] as const;

const intersectCommands = (commands: ServerCommands, other: ServerCommands): ServerCommands => ({
  freeCommand:
    FREE_COMMANDS[Math.max(FREE_COMMANDS.indexOf(commands.freeCommand), FREE_COMMANDS.indexOf(other.freeCommand))] ??
    'denied',
  memoryUsage: commands.memoryUsage && other.memoryUsage,
  pexpiretime: commands.pexpiretime && other.pexpiretime,
  trimsById: commands.trimsById && other.trimsById,
  dumps: commands.dumps && other.dumps,
});

/**
 * Returns the least favourable permission for names of the selection; a denial that concerns one key only is reported
 * for that key.
 */
async function mayRename(
  channel: Awaited<ReturnType<typeof openWritingChannel>>,
  { names, mayWrite }: { names: readonly Buffer[]; mayWrite: boolean },
): Promise<ServerConstraints['rename']> {
  const permissions = new Set<RenameAccess>();
  for (const name of names) permissions.add(await probeRename(channel, name, { mayWrite }));
  for (const worst of ['command', 'tombstone', 'unknown'] as const) if (permissions.has(worst)) return worst;
  return 'allowed';
}
