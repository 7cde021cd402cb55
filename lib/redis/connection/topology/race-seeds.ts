import { AppError } from '@/lib/model/errors';

const NEXT_AFTER_MS = 700;
/** Errors that say only that a seed did not answer. */
const UNINFORMATIVE_CODES = ['redis_unreachable', 'redis_timeout', 'redis_dns'];

/**
 * Tries the seeds in order without waiting for a silent one: the next attempt starts when the previous one fails or
 * after `NEXT_AFTER_MS`. The first success wins. If all fail, the most informative error is thrown: a wrong password
 * says more than a seed that is down.
 */
export function raceSeeds<Seed, Result>(seeds: Seed[], attempt: (seed: Seed) => Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = [];
    let started = 0;
    let timer: NodeJS.Timeout | undefined;
    const next = () => {
      clearTimeout(timer);
      if (started >= seeds.length) return;
      const seed = seeds[started++] as Seed;
      timer = setTimeout(next, NEXT_AFTER_MS);
      attempt(seed).then(
        (result) => {
          clearTimeout(timer);
          started = seeds.length;
          resolve(result);
        },
        (error) => {
          errors.push(error);
          if (errors.length < seeds.length) return next();
          clearTimeout(timer);
          reject(
            errors.find((each) => !(each instanceof AppError && UNINFORMATIVE_CODES.includes(each.code))) ?? errors[0],
          );
        },
      );
    };
    if (seeds.length === 0) reject(new AppError('bad_request', 'The instance has no address.'));
    else next();
  });
}
