import { afterEach, expect, it } from 'vitest';
import type { AppError } from '@/lib/model/errors';
import { Secret } from '@/lib/model/secret';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { array, bulk, type RogueServer, startRogue } from '@/test/servers/rogue';
import { connectTo, inputFor, readAll, socketOnly } from '@/test/servers/scan-session';
import { openChannel } from './channel';

let rogue: RogueServer | undefined;
afterEach(() => rogue?.stop());

/** The servers run in this process, so a short block of this process must not count as their silence. */
const timeouts = { replyMs: 5000 };
const impatient = { replyMs: 300 };
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: AppError) => error.code ?? error,
  );

/** Answers the handshake and facts like a small Redis, and SCAN as the test defines. */
function answering(scan: (command: string[]) => string | null, facts: Record<string, string> = {}) {
  return startRogue(([name = '', sub = '', ...rest]) => {
    if (name === 'SCAN') return scan([name, sub, ...rest]);
    const known: Record<string, string> = {
      HELLO: '-ERR unknown command\r\n',
      CLIENT: '+OK\r\n',
      PING: '+PONG\r\n',
      DBSIZE: ':10\r\n',
      MEMORY: ':56\r\n',
      OBJECT: sub.toUpperCase() === 'ENCODING' ? bulk('embstr') : ':1\r\n',
      PEXPIRETIME: ':-1\r\n',
      TYPE: '+string\r\n',
      STRLEN: ':5\r\n',
      ...facts,
    };
    return known[name] ?? '-ERR unknown command\r\n';
  });
}
const page = (cursor: string, names: string[]) => array([bulk(cursor), array(names.map(bulk))]);

it('one byte a second is a timeout, not patience', async () => {
  rogue = await startRogue(() => null, {
    onConnection(socket) {
      const text = `+${'x'.repeat(200)}`;
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length] ?? 'x'), 50);
      socket.on('close', () => clearInterval(timer));
    },
  });
  expect(await code(openChannel(await connectTo(rogue), {}, impatient))).toBe('redis_timeout');
});

it('silence after a length is a timeout, and nothing was reserved for it', async () => {
  rogue = await startRogue(([name]) => (name === 'HELLO' ? '-ERR unknown\r\n' : '$1000000\r\nabc'));
  expect(await code(openChannel(await connectTo(rogue), {}, impatient))).toBe('redis_timeout');
});

it('half a gigabyte announced ends the connection at once', async () => {
  rogue = await startRogue(() => '$536870912\r\n');
  expect(await code(openChannel(await connectTo(rogue), {}, timeouts))).toBe('redis_protocol');
});

it('an array of two billion ends the connection at once', async () => {
  rogue = await answering(() => `*2\r\n${bulk('0')}*2147483647\r\n`);
  expect(await code(readAll(inputFor(socketOnly(rogue), rogue), { timeouts }))).toBe('redis_protocol');
});

it('a web server is told apart', async () => {
  rogue = await startRogue(() => null, {
    onData: (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>'),
  });
  expect(await code(openChannel(await connectTo(rogue), {}, timeouts))).toBe('redis_not_redis');
});

it('the password is never part of an error', async () => {
  rogue = await startRogue((command) => `-ERR unknown command, with args beginning with: ${command.join(' ')}\r\n`);
  const failed = await openChannel(await connectTo(rogue), { password: new Secret('canary-secret') }, timeouts).catch(
    (e) => e,
  );
  expect(failed.code).toBe('redis_error');
  expect(JSON.stringify([failed.message, failed.details, failed.stack])).not.toContain('canary-secret');
});

it('a cursor beyond 2^53 comes back digit by digit', async () => {
  const asked: string[] = [];
  rogue = await answering(([, cursor = '']) => {
    asked.push(cursor);
    return cursor === '0' ? page('18446744073709551615', ['a']) : page('0', ['b']);
  });
  const { batches, keys } = await readAll(inputFor(socketOnly(rogue), rogue), { timeouts });
  expect(asked).toEqual(['0', '18446744073709551615']);
  expect(batches.map((batch) => batch.cursorAfter)).toEqual(['18446744073709551615', '0']);
  expect(keys.size).toBe(2);
});

it('the same page for ever is an error', async () => {
  rogue = await answering(() => page('7', ['a', 'b']));
  expect(await code(readAll(inputFor(socketOnly(rogue), rogue), { timeouts }))).toBe('redis_protocol');
  expect(rogue.commands().filter(([name]) => name === 'SCAN').length).toBeLessThan(10);
});

it('a ring of cursors is an error', async () => {
  let n = 0;
  rogue = await answering(() => page(String(100 + (n++ % 7)), ['a']));
  expect(await code(readAll(inputFor(socketOnly(rogue), rogue), { timeouts }))).toBe('redis_protocol');
});

it('cursors that never return to 0 end at a bound of keys, and of empty pages', async () => {
  let n = 1;
  rogue = await answering(() => page(String(n++), ['a', 'b', 'c']));
  const bounds = { keys: 300, work: 1e9 };
  expect(await code(readAll(inputFor(socketOnly(rogue), rogue), { timeouts, bounds }))).toBe('redis_protocol');
  expect(n).toBeLessThan(120);
  await rogue.stop();
  n = 1;
  rogue = await answering(() => page(String(n++), []));
  const work = { keys: 1e9, work: 50_000 };
  expect(await code(readAll(inputFor(socketOnly(rogue), rogue), { timeouts, bounds: work }))).toBe('redis_protocol');
});

it('a reset in the middle of a reply is a lost connection, and whole pages stay', async () => {
  let scans = 0;
  rogue = await startRogue(([name, , ...rest], socket) => {
    if (scans === 3) return null;
    if (name === 'HELLO' || name === 'CLIENT' || name === 'PING') return '+OK\r\n';
    if (name === 'DBSIZE') return ':1000\r\n';
    if (name === 'SCAN') {
      if (++scans < 3) return page(String(scans), [`key${scans}`]);
      socket.write(`*2\r\n$1\r\n9\r\n*5\r\n$3\r\nab`);
      setTimeout(() => socket.resetAndDestroy(), 30);
      return null;
    }
    return name === 'TYPE' ? '+string\r\n' : name === 'OBJECT' && rest.length > 1 ? bulk('raw') : ':1\r\n';
  });
  const got: string[] = [];
  const { scanPartition } = await import('@/lib/redis/scan/scan-partition');
  const failed = await code(
    (async () => {
      for await (const batch of scanPartition(
        inputFor(socketOnly(rogue!), rogue!, { throttle: createNodeThrottle('gentle') }),
        { timeouts },
      )) {
        got.push(...batch.page.names.map(String));
      }
    })(),
  );
  expect(failed).toBe('redis_unreachable');
  expect(got).toContain('key1');
  expect(got).not.toContain('ab');
});

it('reads past a name that is too large to keep, and keeps those beside it', async () => {
  const huge = 'x'.repeat(3000);
  rogue = await answering(([, cursor, ...rest]) => {
    const alone = rest.at(-1) === '1';
    if (cursor === '0') return page('1', ['a', 'b']);
    if (cursor === '1') return alone ? page('2', [huge]) : page('3', [huge, 'c']);
    if (cursor === '2') return page('3', ['c']);
    return page('0', ['d']);
  });
  const limits = { replyBytes: 2000, lineBytes: 1000, elements: 100, depth: 4 };
  const { keys, oversize, batches } = await readAll(inputFor(socketOnly(rogue), rogue), { timeouts, limits });
  expect([...keys.values()].map((key) => key.name.toString()).sort()).toEqual(
    ['a', 'b', 'c', 'd', huge.slice(0, 512)].sort(),
  );
  expect([...keys.values()].find((key) => key.long)?.long?.nameBytes).toBe(3000);
  expect(oversize).toBe(1);
  expect(batches.at(-1)?.done).toBe(true);
});

it('goes on around a page that cannot even be read past, and counts it as lost', async () => {
  rogue = await answering(([, cursor]) => {
    if (cursor === '0') return page('1', ['a']);
    if (cursor === '1') return '*2\r\n$1\r\n2\r\n*1\r\n$3000000000\r\n';
    return page('0', ['d']);
  });
  const { keys, batches } = await readAll(inputFor(socketOnly(rogue), rogue), { timeouts });
  expect([...keys.values()].map((key) => key.name.toString()).sort()).toEqual(['a', 'd']);
  expect(batches.filter((batch) => batch.lostPages === 1)).toHaveLength(1);
});

it('attributes, pushes and wrong shapes do not move a value into another key', async () => {
  rogue = await answering((command) => (command[1] === '0' ? page('0', ['a', 'b', 'c']) : null), {
    MEMORY: '|1\r\n+popularity\r\n:9\r\n:77\r\n',
    PEXPIRETIME: '>2\r\n+invalidate\r\n*0\r\n:-1\r\n',
    OBJECT: '$-1\r\n',
    TYPE: '$6\r\nstring\r\n',
  });
  const { keys } = await readAll(inputFor(socketOnly(rogue), rogue), { timeouts });
  for (const key of keys.values()) {
    expect(key).toMatchObject({ bytes: 77, expireAt: -2, type: 'string', encoding: null, idleSeconds: -1, length: -1 });
  }
  expect(keys.size).toBe(3);
});
