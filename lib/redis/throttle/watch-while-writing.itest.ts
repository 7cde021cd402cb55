import { afterEach, expect, it } from 'vitest';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { sessionTo } from '@/test/servers/scan-session';
import type { NodeThrottle } from './node-throttle';
import { createNodeThrottle } from './throttle';
import { watchWhileWriting } from './watch-while-writing';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const start = async (...args: Parameters<typeof startRedis>) => {
  const server = await startRedis(...args);
  closing.push(() => server.stop());
  return server;
};
const until = async (what: () => boolean, ms = 30_000) => {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
};
async function watched(server: RedisServer, username?: string) {
  const session = await sessionTo(server, username ? { username, password: 'x' } : {});
  closing.push(() => session.close());
  const throttle = createNodeThrottle('gentle');
  const codes = new Set<string>();
  const spying: NodeThrottle = Object.create(throttle, {
    addReason: {
      value: (...args: Parameters<NodeThrottle['addReason']>) => {
        codes.add(args[0]);
        throttle.addReason(...args);
      },
    },
  });
  const watch = watchWhileWriting(session, server.address, spying);
  closing.push(async () => watch.stop());
  await watch.ready;
  return { throttle, codes, watch };
}

it('holds from the first look on while a background save runs, and lets go after it', async () => {
  const server = await start({ args: ['--rdb-key-save-delay', '50000', '--enable-debug-command', 'yes'] });
  const client = server.client();
  await client.call('DEBUG', 'POPULATE', '100');
  await client.bgsave();
  const { throttle, watch } = await watched(server);
  // `ready` resolves after the first look: nothing has been sent yet, and the throttle already holds.
  expect(throttle.reason?.code).toBe('saving');
  expect(await until(() => throttle.reason === null)).toBe(true);
  await client.bgrewriteaof();
  expect(await until(() => throttle.reason?.code === 'saving')).toBe(true);
  watch.stop();
  expect(throttle.reason).toBeNull();
});

it('holds while the freeing thread is behind', async () => {
  const server = await start({ args: ['--enable-debug-command', 'yes'] });
  const client = server.client();
  // The look comes every half second, within which a fast machine may free all objects.
  let held = false;
  for (let i = 0; i < 8 && !held; i++) {
    await client.call('DEBUG', 'POPULATE', '2000000');
    const { throttle, codes } = await watched(server);
    await client.flushall('ASYNC');
    held = await until(() => codes.has('lazyfree'), 1500);
    expect(await until(() => throttle.reason === null)).toBe(true);
  }
  expect(held).toBe(true);
});

it('without the right to INFO it holds nothing and does not wait for ever', async () => {
  const server = await start({ acl: ['user few on >x ~* +@all'] });
  await server.client().set('a', 'b');
  const { throttle } = await watched(server, 'few');
  await server.client().call('ACL', 'SETUSER', 'few', '-info');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(throttle.reason).toBeNull();
});

it('the state of a node: role, process, memory, replicas; unknown is null', async () => {
  const server = await start({ args: ['--maxmemory', '500mb', '--maxmemory-policy', 'allkeys-lru'] });
  const replica = await startReplica(server);
  closing.push(() => replica.stop());
  await server.client().call('ACL', 'SETUSER', 'few', 'on', '>x', '~*', '+@all', '-info');
  const readState = async (of: RedisServer, username?: string) => {
    const session = await sessionTo(of, username ? { username, password: 'x' } : {});
    const channel = await openWritingChannel(session, of.address, 0);
    closing.push(async () => {
      channel.close();
      await session.close();
    });
    return readNodeState(channel);
  };
  const state = await readState(server);
  expect(state).toMatchObject({
    role: 'master',
    loading: false,
    saving: false,
    lazyfreePending: 0,
    replicas: 1,
    maxMemory: 500 * 1024 * 1024,
    evictionPolicy: 'allkeys-lru',
  });
  expect(state.runId).toMatch(/^[0-9a-f]{40}$/);
  expect(state.usedMemory).toBeGreaterThan(100_000);
  expect(await readState(replica)).toMatchObject({ role: 'slave', replicas: 0 });
  // ROLE reports the replicas too.
  expect(await readState(server, 'few')).toMatchObject({ role: 'master', runId: null, replicas: 1, usedMemory: null });
  await server.client().call('ACL', 'SETUSER', 'few', '-role');
  expect(await readState(server, 'few')).toMatchObject({ role: null, runId: null, replicas: null, usedMemory: null });
});
