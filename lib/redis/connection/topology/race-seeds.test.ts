import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { raceSeeds } from './race-seeds';

const down = () => Promise.reject(new AppError('redis_unreachable', 'down'));
const never = () => new Promise<never>(() => undefined);

describe('raceSeeds', () => {
  it('takes the first that answers and does not start the rest', async () => {
    const started: number[] = [];
    const result = await raceSeeds([1, 2, 3], async (seed) => {
      started.push(seed);
      return seed === 1 ? down() : seed;
    });
    expect([result, started]).toEqual([2, [1, 2]]);
  });

  it('goes on past a silent seed', async () => {
    expect(await raceSeeds([1, 2], (seed) => (seed === 1 ? never() : Promise.resolve(seed)))).toBe(2);
  });

  it('lets a slow first seed win while others fail', async () => {
    const slow = () => new Promise<string>((resolve) => setTimeout(() => resolve('slow'), 1000));
    expect(await raceSeeds(['slow', 'down'], (seed) => (seed === 'slow' ? slow() : down()))).toBe('slow');
  });

  it('tells the most telling error when all fail', async () => {
    const wrong = new AppError('redis_wrong_password', 'wrong');
    await expect(raceSeeds([1, 2, 3], (seed) => (seed === 2 ? Promise.reject(wrong) : down()))).rejects.toBe(wrong);
    await expect(raceSeeds([1, 2], down)).rejects.toMatchObject({ code: 'redis_unreachable' });
    await expect(raceSeeds([], down)).rejects.toMatchObject({ code: 'bad_request' });
  });
});
