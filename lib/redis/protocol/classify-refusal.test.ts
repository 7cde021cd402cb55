import { expect, it } from 'vitest';
import { toConnectionError } from '@/lib/redis/connection/connection-errors';
import type { FactsPlan } from '@/lib/redis/scan/plan-facts';
import { ScanPage } from '@/lib/redis/scan/scan-page';
import { RedisReplyError } from './any-reply';
import { toReplyError } from './channel';
import { classifyRefusal } from './classify-refusal';

const where = { host: 'db', port: 6379, tls: false };

it.each([
  ['LOADING Redis is loading the dataset in memory', 'transient', 'redis_loading'],
  ['BUSY Redis is busy running a script.', 'transient', 'redis_timeout'],
  [
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    'transient',
    'redis_unreachable',
  ],
  ['CLUSTERDOWN The cluster is down', 'transient', 'redis_cluster_down'],
  ['NOAUTH Authentication required.', 'denied', 'redis_auth_required'],
])('%s is of the whole server, and has one code on every connection', (message, kind, code) => {
  const reply = new RedisReplyError(message);
  expect(classifyRefusal(reply)).toMatchObject({ kind, server: { code } });
  expect(toReplyError(reply)).toMatchObject({ code, details: { reason: reply.code } });
  expect(toConnectionError(Object.assign(new Error(message), { name: 'ReplyError' }), where).code).toBe(code);
  expect(fatal(message)).toBe(message);
});

it.each([
  'MOVED 3999 127.0.0.1:6381',
  'TRYAGAIN Multiple keys request during rehashing of slot',
  'NOREPLICAS Not enough good replicas to write.',
  'NOPERM this user has no permissions',
  'BUSYKEY Target key name already exists.',
  'ERR no such key',
])('%s is of one command', (message) => {
  expect(classifyRefusal(new RedisReplyError(message)).server).toBeNull();
  expect(fatal(message)).toBeUndefined();
});

it('finds every word it knows behind the error of a script, and no other', () => {
  const inScript = (text: string) => classifyRefusal(new RedisReplyError(`ERR user_script:1: ${text}`));
  expect(inScript('BUSY Redis is busy')).toMatchObject({ kind: 'transient', code: 'BUSY' });
  expect(inScript('OOM command not allowed')).toMatchObject({ kind: 'out_of_memory', code: 'OOM' });
  expect(inScript('constructor of nothing')).toMatchObject({ kind: 'refused', code: 'ERR' });
  expect(classifyRefusal(new RedisReplyError('constructor'))).toMatchObject({ kind: 'refused', code: 'ERR' });
});

it.each(['MOVED', 'LOADING', 'OOM', 'WRONGTYPE'])('does not read %s out of the name of a key', (name) => {
  const reply = new RedisReplyError(`ERR unknown command 'MEMORY', with args beginning with: 'USAGE' '${name}' `);
  expect(classifyRefusal(reply)).toEqual({ kind: 'denied', code: 'ERR', server: null });
});

/** Returns the message with which a page of a scan is discarded after this error reply; undefined = it is not. */
function fatal(message: string): string | undefined {
  const page = new ScanPage([Buffer.from('k')], '0', { columns: [] } as unknown as FactsPlan, {} as never);
  page.onFactError(0, 0, message);
  return page.fatal?.message;
}
