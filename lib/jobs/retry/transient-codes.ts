import type { AppError, ErrorCode } from '@/lib/model/errors';
import type { WaitReason } from '@/lib/model/job';

/** Failures that may pass by themselves: wait and go on from the checkpoint. */
export const TRANSIENT_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'redis_unreachable',
  'redis_timeout',
  'redis_loading',
  'redis_protocol',
  'redis_dns',
  'redis_master_unknown',
  // After a failover: until somebody confirms where the servers are now.
  'destination_unconfirmed',
]);

/** Why a job waits after such a failure. */
export function waitReasonOf({ code, message, details }: AppError): Omit<WaitReason, 'since'> {
  if (code === 'destination_unconfirmed')
    return { code: 'destination_unconfirmed', params: { address: String(details.address ?? ''), message } };
  return { code: code === 'redis_loading' ? 'loading' : 'connection_lost', params: { message } };
}
