import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { rewordForOptions } from './reword-for-options';

it('names the option instead of the field of the form', () => {
  const cluster = new AppError('redis_is_cluster', 'a:1 is part of a cluster. Register the instance as Cluster.');
  expect(rewordForOptions(cluster)).toMatchObject({
    code: 'redis_is_cluster',
    message: 'a:1 is part of a cluster. Add --cluster.',
  });
  const tls = new AppError('redis_tls', 'a:1 speaks TLS on this port. Turn TLS on.');
  expect(rewordForOptions(tls)).toMatchObject({ message: 'a:1 speaks TLS on this port. Use rediss://.' });
});

it('passes on what has no such words', () => {
  const error = new Error('Register the instance as Cluster');
  expect(rewordForOptions(error)).toBe(error);
});
