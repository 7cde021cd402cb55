import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

/** Error codes of S3 → what a person has to correct. */
const REFUSALS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket. Make it, or correct COLONNADE_SNAPSHOT_STORE',
  InvalidAccessKeyId: 'it does not know the access key',
  SignatureDoesNotMatch: 'the secret key is wrong, or a proxy changes requests',
  AccessDenied: 'the access key may not do this: it needs to read, write, list and delete below the prefix',
  RequestTimeTooSkewed: 'the clocks of this machine and of the store are too far apart',
  PermanentRedirect: 'the bucket is in another region: set COLONNADE_S3_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set COLONNADE_S3_REGION',
  BadDigest: 'what arrived is not what was sent; the network changes it',
};

interface Failure {
  status?: number;
  serviceCode?: string;
  code?: string;
  body?: string;
  message?: string;
  cause?: unknown;
}

/**
 * Turns a failure into one sentence without secrets. `snapshot_store_away` may pass without action; other codes need a
 * person.
 */
export function toStoreError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { status, serviceCode, body, message = '' } = error as Failure;
  const store = formatStoreName();
  if (status === undefined) {
    const why = findErrorCode(error) ?? (message.slice(0, 100) || 'unknown');
    return new AppError('snapshot_store_away', `The object store ${store} cannot be reached (${why}).`, { store, why });
  }
  const named = Object.keys(REFUSALS).find((name) => serviceCode === name || body?.includes(`<Code>${name}</Code>`));
  const isTransient = status >= 500 || status === 429 || status === 408;
  if (isTransient && named === undefined)
    return new AppError('snapshot_store_away', `The object store ${store} answers ${status} for now.`, {
      store,
      why: `HTTP ${status}`,
    });
  const reason = named ? REFUSALS[named]! : `it answers ${status}${serviceCode ? ` (${serviceCode})` : ''}`;
  return new AppError('snapshot_store_refused', `The object store ${store} refuses: ${reason}.`, {
    store,
    why: reason,
  });
}

/** Reads the body of an answer of the store. Errors: those of `toStoreError`. */
export async function* readPieces(answer: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of answer.body ?? []) yield piece as Uint8Array;
  } catch (error) {
    throw toStoreError(error);
  }
}

function findErrorCode(error: unknown, depth = 0): string | null {
  const { code, cause } = error as Failure;
  if (typeof code === 'string') return code;
  return cause instanceof Error && depth < 3 ? findErrorCode(cause, depth + 1) : null;
}

function formatStoreName(): string {
  const settings = config.snapshotStore;
  return settings === null ? '' : `${new URL(settings.address).host}/${settings.bucket}`;
}
