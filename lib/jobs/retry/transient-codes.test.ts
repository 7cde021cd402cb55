import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { TRANSIENT_CODES, toWaitReason } from './transient-codes';

it.each([
  ['redis_loading', 'loading'],
  ['redis_cluster_down', 'cluster_down'],
  ['redis_unreachable', 'connection_lost'],
] as const)('%s is waited for as %s', (code, reason) => {
  expect(TRANSIENT_CODES.has(code)).toBe(true);
  expect(toWaitReason(new AppError(code, 'Why.'))).toEqual({ code: reason, params: { message: 'Why.' } });
});
