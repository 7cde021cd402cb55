import { append } from '@/lib/model/text/append';
import { openNodeChannel } from '@/lib/redis/connection/open-node-channel';
import type { RedisSession } from '@/lib/redis/connection/session';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

export interface DatabaseKeys {
  db: number;
  /** null = the server does not report it, but the database exists. */
  keys: number | null;
  expires: number | null;
}

export interface NodeKeyspace {
  databases: DatabaseKeys[];
  /** false: the node may have further databases. */
  whole: boolean;
}

/** Databases are queried in groups of this size: one write, one wait. */
const AT_ONCE = 64;
/** The number of databases that are tried at most. */
const MAX_DATABASES = 65_536;
/**
 * Databases of unknown size are all read; with more than this a scan would mostly open connections to empty databases.
 */
const MAX_UNSIZED = 64;
/** In a cluster, further databases are found by INFO only. */
const MAX_OF_CLUSTER = 16;

/**
 * Finds databases by SELECT and DBSIZE, for a user to whom INFO is denied: SELECT counts upwards until the server has
 * no such database. It uses its own connection, because the database stays selected. `whole` is false if SELECT is
 * denied too.
 */
export async function probeDatabases(session: RedisSession, address: string): Promise<NodeKeyspace> {
  const clustered = session.target.topology === 'cluster';
  const channel = await openNodeChannel(session, address);
  const found: DatabaseKeys[] = [];
  try {
    for (let from = 0; from < MAX_DATABASES; from = from === 0 ? 1 : from + AT_ONCE) {
      const last = from === 0 ? 1 : from + AT_ONCE;
      for (const { db, selected, size } of await selectAndCount(channel, from, last)) {
        if (selected instanceof RedisReplyError) return { databases: dropEmpty(found), whole: isListEnd(selected) };
        found.push({ db, keys: typeof size === 'number' ? size : null, expires: null });
        if (found.length > MAX_UNSIZED && found.every(({ keys }) => keys === null))
          return { databases: found.slice(0, 1), whole: false };
      }
      // A server that pretends to be a cluster may accept every number.
      if (clustered && last > MAX_OF_CLUSTER) return { databases: dropEmpty(found), whole: false };
    }
    return { databases: dropEmpty(found), whole: true };
  } catch (error) {
    if (found.length === 0) throw error;
    // Some proxies close the connection on SELECT.
    return { databases: dropEmpty(found), whole: false };
  } finally {
    channel.close();
  }
}

/**
 * Returns those of `databases` that this user may not select (Valkey 9.1 limits rights to databases); a scan leaves
 * them out. A user who may not send SELECT at all has database 0 and is handled elsewhere.
 */
export async function findDeniedDatabases(
  session: RedisSession,
  address: string,
  databases: readonly number[],
): Promise<number[]> {
  const channel = await openNodeChannel(session, address);
  try {
    const denied: number[] = [];
    for (let from = 0; from < databases.length; from += AT_ONCE) {
      const group = databases.slice(from, from + AT_ONCE);
      const replies = await Promise.all(group.map((db) => channel.call(['SELECT', String(db)])));
      append(
        denied,
        group.filter((_, i) => isDatabaseDenied(replies[i])),
      );
    }
    return denied;
  } finally {
    channel.close();
  }
}

const isDatabaseDenied = (reply: Reply | undefined) =>
  reply instanceof RedisReplyError && /^NOPERM No permissions to access database/i.test(reply.message);

/** Selects the databases `from` to `to - 1` one after the other, and counts the keys of each. */
async function selectAndCount(channel: RespChannel, from: number, to: number) {
  return Promise.all(
    Array.from({ length: to - from }, async (_, index) => {
      const db = from + index;
      // A connection starts in database 0; a user may read it without the right to SELECT.
      const [selected, size] = await Promise.all([
        db === 0 ? null : channel.call(['SELECT', String(db)]),
        channel.call(['DBSIZE']),
      ]);
      return { db, selected: selected as Reply, size };
    }),
  );
}

/** Removes empty databases, which need no reading; database 0 is always read. */
const dropEmpty = (found: DatabaseKeys[]) => found.filter(({ db, keys }) => db === 0 || keys !== 0);

/** "DB index is out of range" ends the list, as the error of a cluster with one database does; a denial does not. */
const isListEnd = ({ message }: RedisReplyError) =>
  /out of range|invalid DB index|not allowed in cluster mode/i.test(message);
