import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { AnswerBreaker } from './answer-breaker';

const target = (id = 'orders', port = 7000) =>
  ({
    id,
    topology: 'standalone',
    endpoints: [{ host: '10.0.0.1', port }],
    tls: { enabled: false },
  }) as never as ConnectionTarget;

function stand() {
  let now = 0;
  const breaker = new AnswerBreaker(() => now);
  const fail = (ms: number, code: ErrorCode = 'redis_timeout') =>
    breaker.ask(target(), async () => {
      now += ms;
      throw new AppError(code, 'no');
    });
  return { breaker, fail, wait: (ms: number) => (now += ms) };
}
const code = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: AppError) => error.code,
  );

describe('a server that gave no answer', () => {
  it('is not waited for again before ten seconds have passed; then one asks', async () => {
    const { breaker, fail, wait } = stand();
    expect(await code(fail(5000))).toBe('redis_timeout');
    wait(1);
    await expect(breaker.ask(target(), async () => 1)).rejects.toMatchObject({
      code: 'redis_silent',
      details: { host: '10.0.0.1', port: 7000, retryAfterSeconds: 10 },
    });
    wait(9_999);
    let answer = (_: number) => {};
    const probe = breaker.ask(target(), () => new Promise<number>((resolve) => (answer = resolve)));
    expect(await code(breaker.ask(target(), async () => 2))).toBe('redis_silent');
    answer(3);
    expect(await probe).toBe(3);
    expect(await breaker.ask(target(), async () => 4)).toBe(4);
  });

  it('that stays silent is left alone for as long again', async () => {
    const { breaker, fail, wait } = stand();
    await code(fail(5000));
    wait(10_000);
    expect(await code(fail(5000, 'redis_unreachable'))).toBe('redis_unreachable');
    wait(9_999);
    expect(await code(breaker.ask(target(), async () => 1))).toBe('redis_silent');
    wait(1);
    expect(await breaker.ask(target(), async () => 1)).toBe(1);
  });

  it('that answered and then failed at one question is asked the next', async () => {
    const { breaker, wait } = stand();
    const late = breaker.ask(target(), async (answered) => {
      answered();
      wait(5000);
      throw new AppError('redis_timeout', 'no');
    });
    expect(await code(late)).toBe('redis_timeout');
    expect(await breaker.ask(target(), async () => 1)).toBe(1);
  });

  it('that has answered since is not called silent by a question of before', async () => {
    const { breaker, wait } = stand();
    let fail = () => {};
    const early = breaker.ask(
      target(),
      () => new Promise((_, reject) => (fail = () => reject(new AppError('redis_timeout', 'no')))),
    );
    wait(9000);
    expect(await breaker.ask(target(), async () => 1)).toBe(1);
    wait(1000);
    fail();
    expect(await code(early)).toBe('redis_timeout');
    expect(await breaker.ask(target(), async () => 2)).toBe(2);
  });

  it('holds up no other instance, nor itself at another address', async () => {
    const { breaker, fail } = stand();
    await code(fail(5000));
    expect(await breaker.ask(target('carts'), async () => 1)).toBe(1);
    expect(await breaker.ask(target('orders', 7001), async () => 2)).toBe(2);
  });

  it('counts only when it was waited for, and when the server is why', async () => {
    const { breaker, fail } = stand();
    expect(await code(fail(999))).toBe('redis_timeout');
    expect(await code(fail(5000, 'destination_unconfirmed'))).toBe('destination_unconfirmed');
    // The instance answered, although late, so the next attempt with the right password must not wait.
    expect(await code(fail(5000, 'redis_wrong_password'))).toBe('redis_wrong_password');
    expect(await breaker.ask(target(), async () => 1)).toBe(1);
  });

  it('lets the next one in when the one that was to see failed for another reason', async () => {
    const { breaker, fail, wait } = stand();
    await code(fail(5000));
    wait(10_000);
    await code(breaker.ask(target(), () => Promise.reject(new Error('ours'))));
    expect(await breaker.ask(target(), async () => 1)).toBe(1);
  });
});
