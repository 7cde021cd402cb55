import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/**
 * Returns a hash of all names and values and whether they expire, for servers whose DEBUG DIGEST cannot be used (2.8
 * crashes on compact hashes). Streams are not supported: the versions that need this function have none.
 */
export async function readContents(client: Redis): Promise<string> {
  const sum = createHash('sha256');
  const names = (await client.keysBuffer('*')).sort(Buffer.compare);
  for (const name of names) {
    const type = await client.type(name);
    const values = await READ[type as keyof typeof READ](client, name);
    const expires = (await client.pttl(name)) >= 0;
    for (const part of [name, Buffer.from(`${type} ${expires} ${values.length}`), ...values])
      sum.update(`${part.length}:`).update(part);
  }
  return sum.digest('hex');
}

const READ = {
  string: async (client: Redis, name: Buffer) => [(await client.getBuffer(name)) ?? Buffer.alloc(0)],
  list: (client: Redis, name: Buffer) => client.lrangeBuffer(name, 0, -1),
  set: async (client: Redis, name: Buffer) => (await client.smembersBuffer(name)).sort(Buffer.compare),
  zset: (client: Redis, name: Buffer) => client.zrangeBuffer(name, '0', '-1', 'WITHSCORES'),
  hash: async (client: Redis, name: Buffer) => {
    const fields = Object.entries(await client.hgetallBuffer(name));
    return fields.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([field, value]) => [Buffer.from(field), value]);
  },
};
