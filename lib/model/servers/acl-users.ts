/**
 * The two users that Colonnade needs and no more, as rules of `ACL SETUSER` (Redis 7.0). Printed by the product and the
 * documents; a test carries out every kind of deletion as the second one.
 */
const GREET = '+ping +hello +auth +select +client|setname +client|id +info +role +time';
const LOOK =
  '+scan +type +pttl +pexpiretime +exists +object|encoding +object|idletime +memory|usage +strlen +hlen +llen +scard +zcard +xlen +cluster|slots +cluster|shards +cluster|nodes';

export const SCAN_COMMANDS = `${GREET} ${LOOK} +dbsize +object|freq +object|refcount +readonly +command +latency|latest +slowlog|get +config|get`;

export const DELETE_COMMANDS = `${GREET} ${LOOK} +config|get +wait +eval +renamenx +persist +pexpireat +unlink +hscan +hdel +hset +hsetnx +hgetall +hkeys +hmget +hstrlen +sscan +srem +sadd +smembers +zrange +zscan +zrem +zremrangebyrank +zadd +getrange +setrange +set +lrange +lindex +ltrim +rpush +xrange +xrevrange +xtrim +xadd +xsetid +xinfo +xgroup +xpending +xack +xclaim`;
