import type { StandardId } from '@/lib/model/rules/vocabulary';

/**
 * What the five standards state, one line per statement in words of our own: which rules check it, explain it or ask
 * people about it, or why there is no rule. Examples and anti-examples are in standards-examples.ts.
 */
export interface Statement {
  standard: StandardId;
  /** As the standard numbers or heads it. */
  section: string;
  says: string;
  /** Ids of rules; empty: `because` says why. */
  rules: readonly string[];
  because: string | null;
}

const of =
  (standard: StandardId) =>
  (section: string, says: string, rules: string, because: string | null = null): Statement => ({
    standard,
    section,
    says,
    rules: rules === '' ? [] : rules.split(' '),
    because,
  });
const S0 = of('S0');
const S1 = of('S1');
const S2 = of('S2');
const S3 = of('S3');
const S4 = of('S4');

export const statements: readonly Statement[] = [
  S0('风格一致', 'one style of UserAdmin, userAdmin or user_admin per project, best userAdmin', 'N15'),
  S0('长度约束', 'neither too long nor too short', 'N16'),
  S0('以冒号分开', 'words are parted by colons', 'N13'),
  S0('以冒号分开', 'tools show a tree by colons', '', 'the reason of N13'),
  S0('命名空间', 'one namespace per project, another for each business', 'N6'),
  S0('命名空间', 'project, table, primary-key column, value', 'N5'),
  S0('命名空间', 'in a cluster a {} prefix puts keys into one slot', 'N21 C28'),
  S0('分发模型', '16384 slots, about 1000 nodes', 'N23'),
  S0('分发模型', 'CRC16 as XMODEM computes it, mod 16384, with a test value', 'N23'),
  S0(
    '分发模型',
    'when a cluster is stable, and what replicas take over',
    '',
    'explains the cluster; asks nothing of keys',
  ),
  S0('哈希标签', 'the text between the first braces decides the slot', 'N24'),
  S0('哈希标签', 'a name that begins with {} is hashed whole, which suits binary names', 'N24'),
  S0('Key的设计', 'no spaces, line breaks, quotes, escape characters', 'N9'),
  S0('value设计', 'no string above 10K', 'V1'),
  S0('value设计', 'a value of 1 MB written 10 times a second is 10 MB/s', 'V7'),
  S0('value设计', 'no hash for what is a plain string', 'V14'),
  S0('value设计', 'a key that never expires is unreasonable', 'T3'),
  S0('value设计', 'not the same expiry for all keys', 'T4'),
  S0('value设计', 'int, embstr and raw by the length of the value', 'V12'),
  S0('按需存储', 'store nothing that is not needed', 'V17'),
  S0('命令使用', 'KEYS, FLUSHALL and other commands are forbidden and renamed', 'C1'),
  S0('命令使用', 'HGETALL, LRANGE, SMEMBERS, ZRANGE with care', 'C3'),
  S0('项目实战', 'one project’s Redis is used by that project only', 'C12'),
  S0('项目实战', 'not too short an expiry at peaks', 'T5'),
  S0('项目实战', 'beware of penetration: cache null values too', 'C20 C25'),
  S0('项目实战', 'Redis is not a message queue', 'C11'),
  S0('查询使用', 'no KEYS with a pattern on a live server', 'C2'),

  S1('一 1.1', 'business, table, id, parted by colons', 'N1'),
  S1('一 1.1', 'readable and manageable', 'N19'),
  S1('一 1.2', 'short names where there are many keys', 'N17'),
  S1('一 1.3', 'no spaces, line breaks, quotes, escape characters', 'N9'),
  S1('一 2.1', 'strings of 10 KB at most', 'V1'),
  S1('一 2.1', 'collections of 5000 elements at most', 'V3'),
  S1('一 2.1', 'anti-example: a list of two million elements', 'V6'),
  S1('一 2.1', 'no DEL of a large collection, but HSCAN, SSCAN, ZSCAN', 'V9'),
  S1('一 2.1', 'beware of large collections that expire', 'V10'),
  S1('一 2.2', 'one hash for the fields of an object', 'V13'),
  S1('一 2.2', 'mind the compact encodings', 'V19'),
  S1('一 2.3', 'expire keys, spread the moments, watch the idle time of the others', 'T2 T4'),
  S1('二 1', 'know N of commands that are O(N)', 'C3 C24'),
  S1('二 2', 'KEYS, FLUSHALL, FLUSHDB are renamed away', 'C1'),
  S1('二 3', 'no more databases than one', 'C7'),
  S1('二 4', 'batches of 500 elements or so by MGET, MSET, pipelines', 'C6 C22 C23'),
  S1('二 5', 'few transactions, and in one slot', 'C8 C27 C28'),
  S1('二 6', 'Lua in a cluster: keys in KEYS, one slot', 'C9'),
  S1('二 7', 'MONITOR not for long', 'C10'),
  S1('三 1', 'one application per instance', 'C12'),
  S1('三 2', 'a connection pool', 'C13'),
  S1('三 3', 'a circuit breaker', 'C14'),
  S1('三 4', 'a password, and TLS where needed', 'C15'),
  S1('三 5', 'choose maxmemory-policy, what each does', 'C16 C26'),
  S1('四', 'tools for copying, for bigkeys and for hot keys', 'C21'),
  S1('四 3', 'the vendor’s kernel takes care of hot keys', '', 'an announcement of a product'),
  S1('五', 'how bigkeys are removed, per type', 'V9'),

  S2('二 1', 'no unclear and no very long names', 'N18'),
  S2('二 1', 'readable and manageable', 'N19'),
  S2('二 1', 'begins with a letter', 'N7'),
  S2('二 1', 'lower-case letters, digits, dots, colons only', 'N8'),
  S2('二 1', 'no underscore', 'N10'),
  S2('二 1', 'no spaces, line breaks, quotes, escape characters', 'N9'),
  S2('二 2', 'module, meaning, others, value type', 'N2'),
  S2('二 2', 'meanings are parted by colons', 'N11'),
  S2('二 2', 'words of a meaning are joined by dots', 'N12'),
  S2('二 2', 'ends with the value type', 'N4'),
  S2('二 3', 'strings of 10 KB, collections of 5000 elements at most', 'V1 V3'),
  S2('三 1', 'apply before Redis is used', 'C17'),
  S2('三 2', 'a pure cache, data may be lost', 'C18'),
  S2('三 3', 'every key expires', 'T1'),
  S2('三 3', 'expiry with the write, or the former key is removed', 'T6'),
  S2('三 3', 'long-lived keys are renewed before they expire', 'T7'),
  S2('三 4', 'hot and cold data apart', 'V17'),
  S2('三 5', 'plan the reload of lost data', 'C19'),
  S2('三 6', 'what bigkeys do to network and server', 'V7 V8'),
  S2('三 6', 'no key above 10 Kb', 'V2'),
  S2('三 7', 'no KEYS with a pattern', 'C2'),
  S2('三 8', 'a string unless another type is better', 'V15'),
  S2('三 8', 'which type serves what', '', 'examples of use; V15 and V13 judge what can be seen'),
  S2('三 9', 'scan collections step by step', 'C3'),
  S2('三 9', 'hashes of 100 fields, sets and lists of 10k elements at most', 'V4 V5'),
  S2('三 9', 'split what is larger', 'V18'),

  S3('一 1', 'begins with a letter', 'N7'),
  S3('一 1', 'lower-case letters, digits, dots, colons only', 'N8 N10'),
  S3('一 1', 'no unclear and no very long names', 'N18'),
  S3('一 1', 'a reserved word of Redis is not a key name', 'N20'),
  S3('一 1', 'module, meaning, others', 'N3'),
  S3('一 1', 'meanings are parted by colons', 'N11'),
  S3('一 1', 'words of a meaning are joined by dots', 'N12'),
  S3('一 1', 'short names where there are many keys', 'N17'),
  S3('一 2', 'strings of 10 KB, collections of 5000 elements at most', 'V1 V3'),
  S3('一 2', 'anti-example: a list of two million elements', 'V6'),
  S3('一 2', 'no DEL of a large collection, but HSCAN, SSCAN, ZSCAN', 'V9'),
  S3('一 2', 'beware of large collections that expire', 'V10'),
  S3('一 2', 'no sensitive data in plain text', 'V16 V20'),
  S3('一 2', 'one hash for the fields of an object', 'V13'),
  S3('一 3', 'every key expires', 'T1'),
  S3('一 3', 'expiry with the write, or the former key is removed', 'T6'),
  S3('一 3', 'long-lived keys are renewed before they expire', 'T7'),
  S3('二 1', 'know N of commands that are O(N)', 'C3'),
  S3('二 1', 'no sorted-set range without bounds', 'C4'),
  S3('二 1', 'no HGETALL of a large hash', 'C5 C24'),
  S3('二 2', 'KEYS, FLUSHALL, FLUSHDB are renamed away', 'C1'),
  S3('二 3', 'batches of 500 elements or so by MGET, MSET, pipelines', 'C6 C22 C23'),
  S3('二 4', 'few transactions, and in one slot', 'C8 C27 C28'),
  S3('二 5', 'hash tags with care, few keys per tag', 'N22'),
  S3('二 6', 'a string unless another type is better', 'V15'),
  S3('三 1', 'one application per instance', 'C12'),
  S3('三 2', 'a connection pool', 'C13'),
  S3('三 3', 'a circuit breaker', 'C14'),
  S3('三 4', 'a password', 'C15'),
  S3('三 5', 'choose maxmemory-policy, what each does', 'C16 C26'),
  S3('三 6', 'expiries neither too short nor at one moment, which lets reads penetrate', 'T4 T5 C25'),
  S3('三 7', 'Redis is no message queue', 'C11'),
  S3('附', 'lists of downloads below the article', '', 'no part of the standard'),

  S4('1', 'all upper case', 'N14'),
  S4('2', 'neither too long nor too short', 'N16'),
  S4('3', 'words are parted by colons', 'N13'),
  S4('4', 'one namespace per project, another for each business', 'N6'),
  S4('4', 'project, table, primary-key column, value', 'N5'),
  S4('4', 'a login token as an example of a value', '', 'an example; its name is in the table of examples'),
  S4('过期策略', 'how the server finds expired keys, in rounds and when asked', 'T8'),
  S4('过期策略', 'a timer per key, hardly used', '', 'Redis has none; T8 tells what it does'),
  S4('内存淘汰', 'the policies one by one', 'C16'),
  S4('大key', 'a bigkey is judged by STRLEN and LLEN, not by memory', 'V11'),
  S4('大key', 'what large keys do to a single thread', '', 'the reason of V11; no limit is given'),
  S4('大key', 'split strings and collections into buckets', 'V18'),
  S4('删除大key', 'how bigkeys are removed, per type', 'V9'),
  S4('扫描', 'SCAN gives a cursor and names', '', 'how every scan works'),
];
