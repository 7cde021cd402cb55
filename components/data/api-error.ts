import type { ErrorBody, ErrorCode, ErrorDetails } from '@/lib/model/errors';

/** Error code of a failed request. `network`: there was no answer at all, or not one of Colonnade. */
export type ApiErrorCode = ErrorCode | 'network';

export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  constructor(code: ApiErrorCode, status: number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * Whether the files of a snapshot are being fetched or its keys are being evaluated; the request is repeated until that
 * is done.
 */
export const isComing = (error: unknown): error is ApiError =>
  error instanceof ApiError && /^(?:snapshot_(?:fetching|elsewhere|checking)|no_worker)$/.test(error.code);

/** Converts anything that was thrown, or an error that an answer contains, to a code and a message. */
export function asErrorBody(error: unknown): { code: ApiErrorCode; message: string; details?: ErrorDetails } {
  if (error instanceof ApiError) return { code: error.code, message: error.message, details: error.details };
  const body = error as Partial<ErrorBody> | null | undefined;
  if (body && typeof body.code === 'string' && typeof body.message === 'string') return body as ErrorBody;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
