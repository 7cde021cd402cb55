/**
 * The two Redis users that Colonnade needs, with exactly the rights it needs, as rules of `ACL SETUSER`. The product
 * and the documents print them. One test creates both on every available version, another carries out every kind of
 * deletion as the second one.
 */

/** Rights to connect, to recognise the server, and to follow its role. */
const GREET = '+ping +hello +auth +select +client|setname +client|id +info +role +time';
/** Rights to read the facts of keys. */
const LOOK =
  '+scan +type +pttl +exists +object|encoding +object|idletime +object|refcount +memory|usage +strlen +hlen +llen +scard +zcard +xlen +cluster|slots +cluster|shards +cluster|nodes';

const SCAN = `${GREET} ${LOOK} +dbsize +object|freq +readonly +command +latency|latest +slowlog|get +config|get`;

const DELETE = `${GREET} ${LOOK} +config|get +wait +eval +renamenx +persist +pexpireat +unlink +hscan +hdel +hset +hsetnx +hgetall +hkeys +hmget +hstrlen +sscan +srem +sadd +smembers +zrange +zscan +zrem +zremrangebyrank +zadd +getrange +setrange +set +lrange +lindex +ltrim +rpush +xrange +xrevrange +xtrim +xadd +xsetid +xinfo +xgroup +xpending +xack +xclaim`;

type Version = readonly [major: number, minor: number];

/**
 * The first version of each server that knows these commands; null = none does. A server refuses a whole line if it
 * does not know one command of it.
 */
const LATER: readonly { rules: string; may: readonly AclUser[]; redis: Version; valkey: Version | null }[] = [
  { rules: '+pexpiretime', may: ['scan', 'delete'], redis: [7, 0], valkey: [7, 2] },
  { rules: '+client|setinfo +client|no-touch', may: ['scan', 'delete'], redis: [7, 2], valkey: [7, 2] },
  // Expiries of single hash fields: without these rights a deletion stops, because it would lose them.
  { rules: '+hpexpiretime +hpexpireat', may: ['delete'], redis: [7, 4], valkey: [9, 0] },
  // Vector sets, then arrays: they are counted, and archived as the server's own dump.
  { rules: '+vcard', may: ['scan', 'delete'], redis: [8, 0], valkey: null },
  { rules: '+dump +restore', may: ['delete'], redis: [8, 0], valkey: null },
  { rules: '+arcount', may: ['scan', 'delete'], redis: [8, 8], valkey: null },
];

export type AclUser = 'scan' | 'delete';
/** `version` is that of the server itself, not of the Redis version that it imitates; null = unknown. */
export interface AclServer {
  flavor: string;
  version: string | null;
}

/** Returns the rights of such a user on a server of this kind. */
export function buildAclRules(may: AclUser, { flavor, version }: AclServer): string {
  const [major = 7, minor = 0] = (version ?? '7.0').split('.').map(Number);
  const later = LATER.filter((one) => {
    const since = one[flavor === 'valkey' ? 'valkey' : 'redis'];
    if (since === null || !one.may.includes(may)) return false;
    return major > since[0] || (major === since[0] && minor >= since[1]);
  });
  return [may === 'scan' ? SCAN : DELETE, ...later.map(({ rules }) => rules)].join(' ');
}

/** Returns the whole command, for copy and paste. */
export const buildAclUserLine = (may: AclUser, server: AclServer): string =>
  `ACL SETUSER colonnade_${may} reset on >PASSWORD ~* -@all ${buildAclRules(may, server)}`;
