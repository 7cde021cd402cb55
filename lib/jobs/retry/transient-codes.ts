import type { ErrorCode } from '@/lib/model/errors';

/** Failures that may pass by themselves: wait and go on from the checkpoint. */
export const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'redis_unreachable',
  'redis_timeout',
  'redis_loading',
  'redis_protocol',
  'redis_dns',
  'redis_master_unknown',
]);
