/**
 * The one table of failures. A verb throws `AppError(code)`; the HTTP edge maps the code to a status and the
 * page to a translated sentence (`messages/*.json`, key `errors.<code>`). `details` are the values that sentence
 * needs (host, command, database…). Never put a secret into a message or into details.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  origin_refused: 403,
  host_refused: 403,
  forbidden: 403,
  /** A node of another instance is named by somebody who does not administer both. */
  node_of_other_instance: 403,
  /** Nobody is signed in, or not any more. */
  sign_in_needed: 401,
  /** A token was used for what a person has to do. */
  person_needed: 403,
  /** An act on production: the password has to be given again. */
  fresh_sign_in_needed: 403,
  /** Name or password; which of them is not said. */
  wrong_credentials: 401,
  weak_password: 422,
  /** A one-time link that was used, replaced, or is too old. */
  link_invalid: 422,
  /** An identity provider that does not answer, or whose answer cannot be used. */
  provider_unreachable: 502,
  /** It did not sign somebody in, or what it says of them does not hold (token, issuer, times, signature). */
  provider_sign_in_failed: 401,
  /** Back from a provider without having begun here: another browser, used already, or too late. */
  provider_sign_in_lost: 401,
  /** Known to the provider, but in no group that may come in; or the account is disabled. */
  not_admitted: 403,
  /** It does not prove that the person signed in just now, or it was another person. */
  fresh_sign_in_unproven: 403,
  /** Role, grants and password of this account are the provider's matter. */
  managed_by_provider: 409,
  /** Nobody could manage users any more. */
  last_admin: 409,
  /** An administrator has switched reading values off for this instance. */
  values_forbidden: 403,
  /** Values of a production instance are read with a reason only. */
  reason_needed: 422,
  read_only: 403,
  not_found: 404,
  conflict: 409,
  job_running: 409,
  too_large: 413,
  /** All connections of a kind are taken; `retryAfterSeconds` says when to come again. */
  busy: 503,
  /** One address asks more than people and pages do; `retryAfterSeconds`. */
  too_often: 429,
  unsupported: 422,
  destination_refused: 422,
  /** Announced by servers, and nobody has said that the password may go there. */
  destination_unconfirmed: 422,
  redis_dns: 502,
  redis_unreachable: 502,
  redis_timeout: 504,
  /** It gave no answer a moment ago, so nobody waits for it again before `retryAfterSeconds` have passed. */
  redis_silent: 503,
  redis_auth_required: 502,
  redis_wrong_password: 502,
  redis_no_permission: 502,
  redis_tls: 502,
  redis_not_redis: 502,
  redis_protocol: 502,
  redis_loading: 503,
  redis_is_cluster: 422,
  redis_not_cluster: 422,
  redis_is_sentinel: 422,
  redis_not_sentinel: 422,
  redis_master_unknown: 502,
  redis_no_database: 422,
  redis_error: 502,
  /** A topology announces more nodes than are supported. */
  too_many_nodes: 422,
  /** This process holds as many connections to the node as it may. */
  too_many_connections: 503,
  disk_full: 507,
  snapshot_unreadable: 500,
  /** What lies on the disk is not what was written; `damaged` names the files. */
  snapshot_damaged: 500,
  /** Its files come from the object store just now: `doneMb` of `totalMb`, `retryAfterSeconds`. */
  snapshot_fetching: 503,
  /** The rules are being asked of all its keys; `share` (0 to 1, null: unknown), `retryAfterSeconds`. */
  snapshot_checking: 503,
  /** It lies on the machine that scans or prepares it and is not in the object store yet; `host`, `why`. */
  snapshot_elsewhere: 503,
  /** The object store does not answer, or says that it cannot for now. */
  snapshot_store_away: 503,
  /** It answers and does not let us work: keys, bucket, region, another Colonnade's place. */
  snapshot_store_refused: 502,
  vault_key: 500,
  archive_damaged: 500,
  /** The store holds a journal of a deletion that this version does not understand. */
  journal_unreadable: 500,
  wrong_phrase: 422,
  consent_missing: 422,
  /** Keys of the instance are changed as a user of their own, and its password is not stored. */
  write_credentials_missing: 409,
  /** The server does not accept that user or its password. */
  write_credentials_refused: 422,
  plan_outdated: 409,
  /** The instance asks for a second person, and nobody has approved this plan. */
  approval_needed: 409,
  /** Somebody approves what they planned or asked for themselves. */
  own_approval: 403,
  panic: 409,
  other_server: 409,
  /** The instance cannot be removed: keys of it could not come back any more. */
  deletions_open: 409,
  too_many_keys: 422,
  nothing_to_do: 422,
  nothing_undone: 422,
  /** The data folder cannot be read or written (rights, read-only file system). */
  data_folder: 500,
  /** The process that seals, rolls up or evaluates ended before it was done; what it did is kept. */
  worker_ended: 500,
  /** The control database can be read and not written, for now: the disk is full or refuses; `folder`, `cause`. */
  store_read_only: 503,
  /** Another process on the same data folder holds its write lock and does not let go. */
  data_locked: 503,
  /** The PostgreSQL that holds the control database does not answer, or restarts. */
  database_unreachable: 503,
  /** It answers and does not let us work: password, rights, version, certificate. */
  database_refused: 500,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export type ErrorDetails = Record<string, string | number | boolean | null | string[]>;

const BRAND = Symbol.for('colonnade.AppError');

export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  /** The server compiles pages, routes and engine apart: one process holds several copies of this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}

/** What an API client receives, and what a failed job stores. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

/** Unknown errors are shown blank: their text may hold anything. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  return { code: 'internal', message: 'Something unexpected happened. The server log has the details.' };
}

/** The database could not hold what was asked: less of it at a time may fit. */
export const isMemoryOver = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'too_large' && error.details.reason === 'memory';
