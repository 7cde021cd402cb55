import type { AppError, ErrorCode } from '@/lib/model/errors';
import type { WaitReason } from '@/lib/model/job';

/** Failures that may pass without action: the job waits and continues from its checkpoint. */
export const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'redis_unreachable',
  'redis_timeout',
  'redis_loading',
  'redis_cluster_down',
  'redis_protocol',
  'redis_dns',
  'redis_master_unknown',
  // After a failover a person may have to confirm the new addresses of the servers.
  'destination_unconfirmed',
]);

const WAIT_REASONS: ReadonlyMap<ErrorCode, WaitReason['code']> = new Map([
  ['redis_loading', 'loading'],
  ['redis_cluster_down', 'cluster_down'],
]);

/** Returns the reason why a job waits after such a failure. */
export function toWaitReason({ code, message, details }: AppError): Omit<WaitReason, 'since'> {
  if (code === 'destination_unconfirmed')
    return { code: 'destination_unconfirmed', params: { address: String(details.address ?? ''), message } };
  return { code: WAIT_REASONS.get(code) ?? 'connection_lost', params: { message } };
}
