import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '@/lib/model/secret';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { computeSlot } from '@/lib/redis/keys/slot';
import { openChannel } from '@/lib/redis/protocol/channel';
import { probeCapabilities } from '@/lib/redis/server/capabilities';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { LONG } from '@/test/long-form.mjs';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { ALL_ALLOWED, connectTo, inputFor, readAll, sessionTo, toScannedKeys } from '@/test/servers/scan-session';
import { pour, seedMixed } from '@/test/servers/seed';
import { scanPartition } from './scan-partition';

const hex = (name: string | Buffer) => Buffer.from(name as string).toString('hex');

/** Names, as bytes, that could break the reader. */
function hostileNames(): Buffer[] {
  const raw = (text: string) => Buffer.from(text, 'latin1');
  const singles = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]));
  const bytes = [
    '\xff\xfe',
    '\xc0\xaf',
    '\xed\xa0\x80',
    '\xe4\xbd',
    '\xef\xbb\xbfbom',
    '\r\n',
    '\r\n$-1\r\n',
    '*1\r\n:5\r\n',
  ];
  const text = [
    '',
    ' ',
    'a b',
    '\t',
    'é',
    'e\u0301',
    '\u202Eevil',
    '\u2066x\u2069',
    'zero\u200Bwidth',
    '👩‍👩‍👧‍👦',
    `a${'\u0301'.repeat(500)}`,
    '\u001b[2J',
    '\u001b]8;;http://x\u0007',
    '__proto__',
    'constructor',
    'a:__proto__:b',
    'toString',
    'hasOwnProperty',
    ':',
    '::',
    'a::b',
    ':a',
    'a:',
    'a',
    'a:b',
    'a:'.repeat(100_000),
    '{}',
    '{',
    '}',
    '}{',
    '{a}{b}',
    '{{a}}',
    'foo{}{bar}',
    '*',
    '?',
    '[a]',
    '\\',
    '['.repeat(5000),
    '<img src=x onerror=alert(1)>',
    '"><script>',
    '$' + '{7*7}',
    '{{7*7}}',
    "=cmd|'/c calc'!A1",
    '+1',
    '-1',
    '@SUM(1)',
    'q"u\'o,t;e\n',
    '../../etc/passwd',
    "' OR 1=1--",
    '%00',
    '%2e%2e',
    '#',
    '1'.repeat(40),
    '1e309',
    'NaN',
    '\n{"level":"info"}',
    'x'.repeat(4096),
    'y'.repeat(4097),
    'z'.repeat(65_536),
    'w'.repeat(1 << 20),
  ];
  const all = [...singles, ...bytes.map(raw), ...text.map((t) => Buffer.from(t))];
  return [...new Map(all.map((name) => [name.toString('hex'), name])).values()];
}
const kept = (name: Buffer) => (name.length > 4096 ? name.subarray(0, 512) : name);

/** Gives every key an idle time of one minute. */
const UNUSED_FOR_A_MINUTE = `for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = math.max(0, redis.call('PTTL', key))
  redis.call('RESTORE', key, left, redis.call('DUMP', key), 'REPLACE', 'IDLETIME', '60')
end`;

describe('a standalone server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());

  it('reads every type with its facts, and nothing of other databases', async () => {
    const client = server.client();
    await client.flushall();
    const at = Date.now() + 3_600_000;
    await client.set('s:raw', 'x'.repeat(20_000), 'PXAT', at);
    await client.set('s:int', '12345');
    await client.set('s:embstr', 'hello');
    await client.hset('h:big', Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`f${i}`, `v${i}`])));
    await client.hset('h:small', 'a', '1');
    await client.rpush('l:big', ...Array.from({ length: 7000 }, (_, i) => `item-number-${i}`));
    await client.sadd('set:int', ...Array.from({ length: 300 }, (_, i) => i));
    await client.sadd('set:words', 'a', 'b');
    await client.sadd('set:big', ...Array.from({ length: 6000 }, (_, i) => `w${i}`));
    await client.zadd('z:big', ...Array.from({ length: 6000 }, (_, i) => [i, `member-${i}`]).flat());
    const entries = client.pipeline();
    for (let i = 0; i < 6000; i++) entries.xadd('x:stream', '*', 'field', `value-${i}`);
    await entries.exec();
    const other = server.client({ db: 5 });
    await other.set('only:five', '1');

    const session = await sessionTo(server);
    const { keys, lengthNotAsked } = await readAll(inputFor(session, server));
    const facts = (name: string) => keys.get(hex(name));
    expect(keys.size).toBe(11);
    expect(facts('s:raw')).toMatchObject({
      type: 'string',
      encoding: 'raw',
      expireAt: at,
      length: 20_000,
      freq: UNKNOWN,
    });
    expect(facts('s:raw')?.bytes).toBeGreaterThan(20_000);
    expect(facts('s:raw')?.idleSeconds).toBeGreaterThanOrEqual(0);
    expect(facts('s:int')).toMatchObject({ type: 'string', encoding: 'int', expireAt: NO_EXPIRY, length: UNKNOWN });
    expect(facts('s:embstr')).toMatchObject({ encoding: 'embstr', length: UNKNOWN });
    expect(facts('h:big')).toMatchObject({ type: 'hash', encoding: 'hashtable', length: 6000 });
    expect(facts('h:small')).toMatchObject({ type: 'hash', encoding: 'listpack', length: UNKNOWN });
    expect(facts('l:big')).toMatchObject({ type: 'list', encoding: 'quicklist', length: 7000 });
    expect(facts('set:int')).toMatchObject({ type: 'set', encoding: 'intset', length: UNKNOWN });
    expect(facts('set:big')).toMatchObject({ type: 'set', encoding: 'hashtable', length: 6000 });
    expect(facts('set:words')).toMatchObject({ type: 'set', length: UNKNOWN });
    expect(facts('z:big')).toMatchObject({ type: 'zset', encoding: 'skiplist', length: 6000 });
    expect(facts('x:stream')).toMatchObject({ type: 'stream', encoding: 'stream', length: 6000 });
    expect(lengthNotAsked).toBe(5);
    for (const [name, key] of keys) {
      expect(key.bytes).toBe(await client.memory('USAGE', Buffer.from(name, 'hex')));
      expect(key.slot).toBe(computeSlot(Buffer.from(name, 'hex')));
    }

    // With counts `all` every collection is counted, so the lengths of small ones are known too.
    const all = await readAll(inputFor(session, server, { counts: 'all' }));
    expect(all.lengthNotAsked).toBe(0);
    expect([...all.keys.values()].every((key) => key.length !== UNKNOWN)).toBe(true);

    // A profile with lower thresholds needs more lengths; keys that cannot reach them are still not counted.
    const lower = await readAll(inputFor(session, server, { thresholds: { stringBytes: 10_240, elements: 250 } }));
    expect(lower.keys.get(hex('set:int'))).toMatchObject({ encoding: 'intset', length: 300 });
    expect(lower.keys.get(hex('h:small'))).toMatchObject({ length: UNKNOWN });
    expect(lower.lengthNotAsked).toBe(4);

    const five = await readAll(inputFor(session, server, { db: 5 }));
    expect([...five.keys.keys()]).toEqual([hex('only:five')]);
    expect(five.batches.every((batch) => batch.page.db === 5)).toBe(true);
    const basic = await readAll(inputFor(session, server, { facts: 'basic' }));
    expect(basic.keys.get(hex('h:big'))).toMatchObject({
      type: 'hash',
      encoding: null,
      idleSeconds: UNKNOWN,
      length: UNKNOWN,
      expireAt: NO_EXPIRY,
    });
    expect(basic.keys.get(hex('h:big'))?.bytes).toBeGreaterThan(100_000);
    await session.close();
  });

  it('keeps hostile names byte for byte', async () => {
    const client = server.client();
    await client.flushall();
    const names = hostileNames();
    await pour(
      client,
      names.map((name) => ['SET', name, 'v']),
    );
    const session = await sessionTo(server);
    for (const speed of ['fast', 'gentle'] as const) {
      const { batches } = await readAll(inputFor(session, server, { throttle: createNodeThrottle(speed) }));
      const seen = batches.flatMap(toScannedKeys);
      expect(seen.map((key) => key.name.toString('hex')).sort()).toEqual(
        names.map((n) => kept(n).toString('hex')).sort(),
      );
      for (const key of seen) expect(key).toMatchObject({ type: 'string', expireAt: NO_EXPIRY });
      const long = seen.filter((key) => key.long !== null).map((key) => key.long);
      const expected = names.filter((name) => name.length > 4096);
      expect(long).toHaveLength(expected.length);
      expect(long).toEqual(
        expect.arrayContaining(
          expected.map((name) => ({ nameBytes: name.length, sha256: createHash('sha256').update(name).digest('hex') })),
        ),
      );
      for (const name of names) {
        if (name.length <= 4096) expect(seen.find((key) => key.name.equals(name))?.slot).toBe(computeSlot(name));
      }
    }
    await session.close();
  });

  it('a prefix is literal, whatever it holds', async () => {
    const client = server.client();
    await client.flushall();
    const names = ['a*b:1', 'axb:1', 'a[1]:x', 'a1:x', 'a?:', 'ab:', 'a\\x', '\xff\xfe1', 'a-b', 'a^b'];
    await pour(
      client,
      names.map((name) => ['SET', Buffer.from(name, 'latin1'), 'v']),
    );
    const session = await sessionTo(server);
    for (const prefix of ['a*', 'a[1]', 'a?', 'a\\', '\xff', 'a-', 'a^', 'a']) {
      const matchPrefix = Buffer.from(prefix, 'latin1');
      const { keys } = await readAll(inputFor(session, server, { matchPrefix }));
      const expected = names
        .filter((name) => name.startsWith(prefix))
        .map((name) => Buffer.from(name, 'latin1').toString('hex'));
      expect([...keys.keys()].sort()).toEqual(expected.sort());
    }
    await session.close();
  });

  it('leaves idle times alone and writes nothing', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 3000);
    await client.hset('big', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${i}`, 'v'])));
    await client.eval(UNUSED_FOR_A_MINUTE, 0);
    await client.config('RESETSTAT');
    const session = await sessionTo(server);
    const { keys } = await readAll(inputFor(session, server));
    expect(keys.size).toBe(3001);
    const stats = await client.info('commandstats');
    const sent = [...stats.matchAll(/^cmdstat_([^:]+):/gm)].map((match) => match[1]);
    const harmless =
      /^(scan|type|memory\|usage|object\|.*|pexpiretime|hello|client\|.*|ping|info|dbsize|select|config\|.*|command.*|role|hlen|strlen|llen|scard|zcard|xlen)$/;
    expect(sent.filter((name) => !harmless.test(name ?? ''))).toEqual([]);
    let checked = 0;
    for (const key of keys.values()) {
      if (key.length !== UNKNOWN) continue;
      // Small integers are shared by all keys: they have no idle time of their own.
      if (key.encoding === 'int') continue;
      expect(await client.object('IDLETIME', key.name)).toBeGreaterThanOrEqual(2);
      checked++;
    }
    expect(checked).toBeGreaterThan(2000);
    await session.close();
  });

  it('goes on from the cursor of any page and misses nothing', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 5000);
    const session = await sessionTo(server);
    const whole = await readAll(inputFor(session, server, { throttle: createNodeThrottle('gentle') }));
    expect(whole.keys.size).toBe(5000);
    expect(whole.batches.length).toBeGreaterThan(10);
    for (const stop of [0, 3, Math.floor(whole.batches.length / 2), whole.batches.length - 2]) {
      const seen = new Set<string>();
      let cursor = '0';
      let n = 0;
      for await (const batch of scanPartition(inputFor(session, server))) {
        for (const key of toScannedKeys(batch)) seen.add(key.name.toString('hex'));
        cursor = batch.cursorAfter;
        if (n++ === stop || batch.done) break;
      }
      // Other keys are created and deleted meanwhile; all stable keys must be found.
      await pour(
        client,
        Array.from({ length: 500 }, (_, i) => ['SET', `other:${stop}:${i}`, 'v', 'EX', '100']),
      );
      if (cursor !== '0') {
        const rest = await readAll(inputFor(session, server, { cursor }));
        for (const name of rest.keys.keys()) seen.add(name);
      }
      for (const name of whole.keys.keys()) expect(seen.has(name)).toBe(true);
    }
    await session.close();
  });

  it('drops and counts keys that vanish between SCAN and their facts', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 500);
    await pour(
      client,
      Array.from({ length: 500 }, (_, i) => ['SET', `short:${i}`, 'v']),
    );
    const session = await sessionTo(server);
    const gentle = createNodeThrottle('gentle');
    let slices = 0;
    // One page has all names, and facts are requested for 100 at a time: after the first hundred the short names are
    // deleted.
    const throttle = {
      ...gentle,
      stats: gentle.stats,
      burst: { keys: 100, writes: 1 as const },
      count: () => 5000,
      pace: async () => {
        if (slices++ === 0) await client.unlink(...Array.from({ length: 500 }, (_, i) => `short:${i}`));
      },
    };
    const found = await readAll(inputFor(session, server, { throttle }));
    await session.close();
    const names = [...found.keys.values()].map((key) => key.name.toString());
    const survivors = names.filter((name) => name.startsWith('short:')).length;
    expect(names.length - survivors).toBe(500);
    expect(survivors).toBeLessThanOrEqual(100);
    expect(found.vanished).toBe(500 - survivors);
    for (const key of found.keys.values()) expect(key.bytes).toBeGreaterThan(0);
  });

  it('never shows an encoding beside a type it cannot belong to, when keys change their type', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 2000);
    await pour(
      client,
      Array.from({ length: 300 }, (_, i) => ['SADD', `changing:${i}`, 'a']),
    );
    const session = await sessionTo(server);
    let stop = false;
    const churn = (async () => {
      for (let n = 0; !stop; n++) {
        const pipeline = client.pipeline();
        for (let i = 0; i < 300; i++) {
          pipeline.del(`changing:${i}`);
          if (n % 2) pipeline.sadd(`changing:${i}`, 'a');
          else pipeline.set(`changing:${i}`, 'v');
        }
        await pipeline.exec();
      }
    })();
    try {
      for (let round = 0; round < 8; round++) {
        const found = await readAll(inputFor(session, server));
        const stable = [...found.keys.values()].filter((key) => !key.name.toString().startsWith('changing:'));
        expect(stable).toHaveLength(2000);
        for (const key of found.keys.values()) {
          expect(key.type).not.toBe('none');
          if (!key.name.toString().startsWith('changing:')) continue;
          expect([null, 'set', 'string']).toContain(key.type);
          if (key.type === 'set') expect(['hashtable', null]).toContain(key.encoding);
          if (key.type === 'string') expect(['embstr', null]).toContain(key.encoding);
        }
      }
    } finally {
      stop = true;
      await churn;
      await session.close();
    }
  });

  it('asks a key once more when its type changed under a length command', async () => {
    const client = server.client();
    await client.flushall();
    const session = await sessionTo(server);
    const members = Array.from({ length: 500 }, (_, i) => `m${i}`);
    let stop = false;
    const churn = (async () => {
      while (!stop) {
        await client
          .multi()
          .del('k')
          .sadd('k', ...members)
          .exec();
        await client
          .multi()
          .del('k')
          .rpush('k', ...members)
          .exec();
      }
    })();
    const types = new Set<string | null>();
    for (let round = 0; round < (LONG ? 300 : 60); round++) {
      const { keys } = await readAll(inputFor(session, server));
      const key = keys.get(hex('k'));
      if (!key) continue;
      types.add(key.type);
      // A length must never be wrong or belong to another type.
      expect([500, UNKNOWN]).toContain(key.length);
      if (key.type === 'set') expect(['hashtable', null]).toContain(key.encoding);
      if (key.type === 'list') expect(['quicklist', 'listpack', null]).toContain(key.encoding);
    }
    stop = true;
    await churn;
    expect(types.has('set') || types.has('list')).toBe(true);
    await session.close();
  });

  it('stops at once when asked, also while it is held', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 5000);
    const session = await sessionTo(server);
    const abort = new AbortController();
    const throttle = createNodeThrottle('gentle');
    throttle.addReason('operator');
    const reason = new Error('enough');
    const reading = readAll(inputFor(session, server, { throttle, signal: abort.signal }));
    setTimeout(() => abort.abort(reason), 200);
    // Only the abort can end it: the reason holds it until it is cleared.
    await expect(reading).rejects.toBe(reason);
    expect(throttle.stats.waitedMs).toBeGreaterThan(100);

    await expect(readAll(inputFor(session, server, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    await session.close();
    for (let i = 0; i < 50 && (await scanners(client)) > 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await scanners(client)).toBe(0);
  });

  it('changes its speed while it runs, and counts what it sends', async () => {
    const client = server.client();
    await client.flushall();
    await seedMixed(client, 30_000);
    const session = await sessionTo(server);
    const throttle = createNodeThrottle('gentle');
    const seen = new Set<string>();
    let pages = 0;
    for await (const batch of scanPartition(inputFor(session, server, { throttle }))) {
      for (const key of toScannedKeys(batch)) seen.add(key.name.toString('hex'));
      if (++pages === 5) throttle.setSpeed('fast');
      if (pages === 12) throttle.setSpeed('balanced');
      if (pages === 20) throttle.setSpeed('fast');
    }
    expect(seen.size).toBe(30_000);
    const { stats } = throttle;
    expect(stats.commands).toBeGreaterThan(150_000);
    expect(stats.bytesSent).toBeGreaterThan(30_000 * 5 * 30);
    expect(stats.bytesReceived).toBeGreaterThan(30_000 * 30);
    expect(stats.busyMs).toBeGreaterThan(0);
    expect(stats.waitedMs).toBeGreaterThan(0);
    await session.close();
  });

  it('a consumer that leaves the loop leaves no connection behind', async () => {
    const client = server.client();
    const session = await sessionTo(server);
    for await (const batch of scanPartition(inputFor(session, server))) if (batch.page.count > 0) break;
    await session.close();
    for (let i = 0; i < 50 && (await scanners(client)) > 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await scanners(client)).toBe(0);
  });

  it('a database that does not exist, and a server that dies, have their names', async () => {
    const session = await sessionTo(server);
    await expect(readAll(inputFor(session, server, { db: 99 }))).rejects.toMatchObject({ code: 'redis_no_database' });
    const doomed = await startRedis();
    await seedMixed(doomed.client(), 20_000);
    const lost = await sessionTo(doomed);
    const reading = (async () => {
      const throttle = createNodeThrottle('gentle');
      for await (const _ of scanPartition(inputFor(lost, doomed, { throttle }))) await doomed.kill();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'redis_unreachable' });
    await Promise.all([session.close(), lost.close(), doomed.stop()]);
  });
});

/** Counts the connections named colonnade, without the given client. */
async function scanners(client: { call(...args: [string, ...string[]]): Promise<unknown> }): Promise<number> {
  const list = String(await client.call('CLIENT', 'LIST'));
  return list.split('\n').filter((line) => line.includes('name=colonnade')).length;
}

describe('other servers', () => {
  it('least privilege, renamed commands: what is denied is unknown, never zero', async () => {
    const server = await startRedis({
      acl: [
        'user looker on >secret ~* -@all +ping +hello +auth +select +client|setname +scan +type +pttl +dbsize +info +memory|usage',
      ],
      renamed: { OBJECT: '' },
    });
    await seedMixed(server.client(), 1000);
    const session = await sessionTo(server, { username: 'looker', password: 'secret' });
    const { scan: capabilities } = await probeCapabilities(session, server.address);
    const { keys } = await readAll(inputFor(session, server, { capabilities }));
    expect(keys.size).toBe(1000);
    for (const key of keys.values()) {
      expect(key).toMatchObject({ encoding: null, idleSeconds: UNKNOWN, length: UNKNOWN });
      expect(key.type).not.toBeNull();
      expect(key.bytes).toBeGreaterThan(0);
      const ttl = await server
        .client()
        .pttl(key.name)
        .catch(() => null);
      if (key.expireAt !== NO_EXPIRY && ttl !== null)
        expect(Math.abs(key.expireAt - Date.now() - ttl)).toBeLessThan(2000);
    }
    // The user loses rights between the probe and the scan.
    const all = await readAll(inputFor(session, server, { capabilities: ALL_ALLOWED }));
    expect(all.keys.size).toBe(1000);
    for (const key of all.keys.values())
      expect(key).toMatchObject({ encoding: null, expireAt: UNKNOWN, length: UNKNOWN });
    await session.close();

    const wrong = openChannel(await connectTo(server), { username: 'looker', password: new Secret('wrong') });
    await expect(wrong).rejects.toMatchObject({ code: 'redis_wrong_password' });
    const blind = openChannel(await connectTo(server), {
      username: 'looker',
      password: new Secret('wrong'),
      protocol: '2',
    });
    await expect(blind).rejects.toMatchObject({ code: 'redis_wrong_password' });
    const old = await openChannel(await connectTo(server), {
      username: 'looker',
      password: new Secret('secret'),
      protocol: '2',
    });
    expect(old.protocol).toBe(2);
    expect(await old.call(['PING'])).toEqual(Buffer.from('PONG'));
    old.close();
    await server.stop();
  });

  it('a server with a password wants it', async () => {
    const server = await startRedis({ password: 'secret' });
    for (const protocol of ['auto', '2'] as const) {
      await expect(openChannel(await connectTo(server), { protocol })).rejects.toMatchObject({
        code: 'redis_auth_required',
      });
      const channel = await openChannel(await connectTo(server), { password: new Secret('secret'), protocol, db: 3 });
      expect(channel.protocol).toBe(protocol === 'auto' ? 3 : 2);
      expect(await channel.call(['DBSIZE'])).toBe(0);
      channel.close();
    }
    await server.stop();
  });

  it('frequency instead of idle time where the policy counts frequency', async () => {
    const server = await startRedis({ args: ['--maxmemory-policy', 'allkeys-lfu'] });
    await seedMixed(server.client(), 500);
    const session = await sessionTo(server);
    const { scan: capabilities } = await probeCapabilities(session, server.address);
    const { keys } = await readAll(inputFor(session, server, { capabilities }));
    expect(keys.size).toBe(500);
    for (const key of keys.values()) {
      expect(key.freq).toBeGreaterThanOrEqual(0);
      expect(key.idleSeconds).toBe(UNKNOWN);
    }
    await session.close();
    await server.stop();
  });

  it('on a replica every length is asked: nobody is disturbed', async () => {
    const master = await startRedis();
    await seedMixed(master.client(), 2000);
    const replica = await startReplica(master);
    const session = await sessionTo(replica);
    const { keys, lengthNotAsked } = await readAll(inputFor(session, replica, { role: 'replica' }));
    expect(keys.size).toBe(2000);
    expect(lengthNotAsked).toBe(0);
    const client = master.client();
    for (const key of keys.values()) {
      const length = { string: 'strlen', hash: 'hlen', list: 'llen', set: 'scard', zset: 'zcard', stream: 'xlen' }[
        key.type ?? ''
      ];
      expect(key.length).toBe(await client.call(length ?? '', key.name));
    }
    await session.close();
    await Promise.all([replica.stop(), master.stop()]);
  });
});
