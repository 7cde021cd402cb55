import { expect, it, vi } from 'vitest';
import { getProcessWide } from '@/lib/runtime/process-wide';
import { shareWhileLive } from './share-while-live';

it('finds an answer once for all that ask, and anew after ten times as long as it took', async () => {
  let time = 1000;
  const now = () => time;
  let found: (answer: number) => void = () => {};
  const find = vi.fn(() => new Promise<number>((resolve) => (found = resolve)));
  const both = [shareWhileLive('scan 1', find, now), shareWhileLive('scan 1', find, now)];
  time += 300;
  found(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  time += 2_999;
  expect(await shareWhileLive('scan 1', find, now)).toBe(7);
  expect(find).toHaveBeenCalledTimes(1);
  time += 20_000;
  const next = shareWhileLive('scan 1', find, now);
  found(8);
  expect(await next).toBe(8);
  expect(find).toHaveBeenCalledTimes(2);
});

it('gives the one before while the next is being found, unless it is old', async () => {
  let time = 100_000;
  const now = () => time;
  let answer = 1;
  const find = vi.fn(async () => {
    time += 100;
    return answer++;
  });
  const ask = () => shareWhileLive('scan 4', find, now);
  expect(await ask()).toBe(1);
  time += 10_000;
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(find).toHaveBeenCalledTimes(2);
  expect(await ask()).toBe(2);
  time += 20_000;
  expect(await ask()).toBe(3);
  find.mockRejectedValueOnce(new Error('parts have gone'));
  time += 10_000;
  expect(await ask()).toBe(3);
  await vi.waitFor(async () => expect(await ask()).toBe(4));
});

it('keeps no failure, and nothing of another question', async () => {
  await expect(shareWhileLive('scan 2', () => Promise.reject(new Error('no part yet')))).rejects.toThrow('no part yet');
  expect(await shareWhileLive('scan 2', async () => 'now')).toBe('now');
  expect(await shareWhileLive('scan 3', async () => 'other')).toBe('other');
});

it('keeps no more than so many', async () => {
  const now = () => 0;
  const ask = (n: number) => shareWhileLive(`many ${n}`, async () => n, now);
  for (let n = 0; n < 65; n++) await ask(n);
  const again = vi.fn(async () => -1);
  expect(await shareWhileLive('many 0', again, now)).toBe(-1);
  expect(again).toHaveBeenCalledOnce();
});

it('serves longer while other scans are looked at as well', async () => {
  let time = 500_000;
  const now = () => time;
  const ask = (key: string, tookMs: number) =>
    shareWhileLive(
      key,
      async () => {
        time += tookMs;
        return time;
      },
      now,
    );
  await ask('watched 1', 400);
  const second = await ask('watched 2', 600);
  time += 9_990;
  expect(await ask('watched 2', 600)).toBe(second);
  time += 20;
  await ask('watched 2', 600);
  expect(await ask('watched 2', 600)).not.toBe(second);
});

it('lets go of an answer that nobody asks for any more', async () => {
  vi.useFakeTimers();
  try {
    const kept = () => getProcessWide('live-answers', () => new Map()).has('forgotten');
    await shareWhileLive('forgotten', async () => 'answer');
    await vi.advanceTimersByTimeAsync(14_000);
    expect(kept()).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(kept()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
