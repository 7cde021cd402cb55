import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { toLossFailure, toWriteFailure, WriteFailure } from './write-failure';

it.each([
  ['MOVED 3999 127.0.0.1:6381', 'moved', 'MOVED'],
  ['ASK 3999 127.0.0.1:6381', 'ask', 'ASK'],
  ['TRYAGAIN Multiple keys request during rehashing of slot', 'transient', 'TRYAGAIN'],
  ['CLUSTERDOWN Hash slot not served', 'transient', 'CLUSTERDOWN'],
  ['LOADING Redis is loading the dataset in memory', 'transient', 'LOADING'],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'transient', 'MASTERDOWN'],
  ['BUSY Redis is busy running a script.', 'transient', 'BUSY'],
  ['NOREPLICAS Not enough good replicas to write.', 'transient', 'NOREPLICAS'],
  ['MISCONF Redis is configured to save RDB snapshots', 'transient', 'MISCONF'],
  ["READONLY You can't write against a read only replica.", 'not_master', 'READONLY'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'out_of_memory', 'OOM'],
  ["NOPERM this user has no permissions to run the 'eval' command", 'denied', 'NOPERM'],
  ["ERR unknown command 'renamenx', with args beginning with: ", 'denied', 'ERR'],
  ['ERR Unknown Redis command called from script script: 1b2c, on @user_script:18.', 'denied', 'ERR'],
  ["ERR ACL failure in script: User x has no permissions to run the 'persist' command", 'denied', 'ERR'],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', 'wrong_type', 'WRONGTYPE'],
  ["CROSSSLOT Keys in request don't hash to the same slot", 'wrong_type', 'CROSSSLOT'],
  ['ERR no such key', 'refused', 'ERR'],
  ['BUSYKEY Target key name already exists.', 'refused', 'BUSYKEY'],
  ['<script>alert(1)</script> app:secret:1', 'refused', 'ERR'],
])('%s is %s', (message, kind, code) => {
  const failure = toWriteFailure(new RedisReplyError(message));
  expect(failure).toMatchObject({ kind, code });
  // A server may put names, values and passwords into its error messages.
  expect(failure.message).toBe(`The server answered with an error (${code}).`);
});

it('a loss after sending is an unknown outcome, and keeps what was known already', () => {
  const lost = toLossFailure(new AppError('redis_timeout', 'Too late.'));
  expect(lost).toMatchObject({ kind: 'unknown_outcome', code: 'redis_timeout' });
  expect(toLossFailure(lost)).toBe(lost);
  expect(toLossFailure('what').kind).toBe('unknown_outcome');
});

it('is known across copies of the class, and nothing else is taken for one', () => {
  const copy = Object.assign(new Error('x'), { [Symbol.for('colonnade.WriteFailure')]: true });
  expect(copy instanceof WriteFailure).toBe(true);
  expect(new Error('x') instanceof WriteFailure).toBe(false);
  expect(({ kind: 'denied' } as unknown) instanceof WriteFailure).toBe(false);
});
