/**
 * The table of all error codes. A verb throws `AppError(code)`; the HTTP layer maps the code to a status, and the page
 * to a translated sentence (`messages/*.json`, key `errors.<code>`). `details` are the values that this sentence needs
 * (host, command, database…). Never put a secret into a message or into details.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  origin_refused: 403,
  host_refused: 403,
  forbidden: 403,
  /** A node of another instance was named by a person who does not administer both. */
  node_of_other_instance: 403,
  /** Nobody is signed in, or the session has ended. */
  sign_in_needed: 401,
  /** A token was used for something that a person must do. */
  person_needed: 403,
  /** An act on production: the password has to be entered again. */
  fresh_sign_in_needed: 403,
  /** The name or the password is wrong; the answer does not say which. */
  wrong_credentials: 401,
  weak_password: 422,
  /** A one-time link that was used, replaced, or is too old. */
  link_invalid: 422,
  /** An identity provider does not answer, or its answer cannot be used. */
  provider_unreachable: 502,
  /** The provider did not sign the person in, or its statement is not valid (token, issuer, times, signature). */
  provider_sign_in_failed: 401,
  /** The return from a provider has no matching start: another browser, already used, or too late. */
  provider_sign_in_lost: 401,
  /** The provider knows the person, who is in no admitted group, or the account is disabled. */
  not_admitted: 403,
  /** It does not prove that the person signed in just now, or it was another person. */
  fresh_sign_in_unproven: 403,
  /** The provider manages role, grants and password of this account. */
  managed_by_provider: 409,
  /** After this change nobody could manage users. */
  last_admin: 409,
  /** An administrator has switched off reading values for this instance. */
  values_forbidden: 403,
  /** Reading values of a production instance requires a reason. */
  reason_needed: 422,
  read_only: 403,
  not_found: 404,
  conflict: 409,
  job_running: 409,
  too_large: 413,
  /** All connections of a kind are in use; `retryAfterSeconds` says when to try again. */
  busy: 503,
  /** One address sends more requests than people and pages do; `retryAfterSeconds`. */
  too_often: 429,
  unsupported: 422,
  destination_refused: 422,
  /** The address was announced by servers, and nobody has confirmed that the password may be sent there. */
  destination_unconfirmed: 422,
  /** The address map leads to another node than the one that was announced, or to one node twice. */
  wrong_node: 422,
  /** A node of a cluster that is not among the registered addresses, which are the only ones to be used. */
  node_not_used: 422,
  redis_dns: 502,
  redis_unreachable: 502,
  redis_timeout: 504,
  /** The server did not answer a moment ago, so it is not tried again for `retryAfterSeconds`. */
  redis_silent: 503,
  redis_auth_required: 502,
  redis_wrong_password: 502,
  redis_no_permission: 502,
  redis_tls: 502,
  redis_not_redis: 502,
  redis_protocol: 502,
  redis_loading: 503,
  redis_cluster_down: 503,
  redis_is_cluster: 422,
  redis_not_cluster: 422,
  redis_is_sentinel: 422,
  redis_not_sentinel: 422,
  redis_master_unknown: 502,
  redis_no_database: 422,
  redis_error: 502,
  /** A topology announces more nodes than are supported. */
  too_many_nodes: 422,
  /** This process has as many connections to the node as it may have. */
  too_many_connections: 503,
  disk_full: 507,
  snapshot_unreadable: 500,
  /** The files on disk are not those that were written; `damaged` names them. */
  snapshot_damaged: 500,
  /** Its files are being fetched from the object store: `doneMb` of `totalMb`, `retryAfterSeconds`. */
  snapshot_fetching: 503,
  /** The rules are being evaluated for all its keys; `share` (0 to 1, null = unknown), `retryAfterSeconds`. */
  snapshot_checking: 503,
  /** No process that runs jobs has given a sign of life, so nothing is prepared; `retryAfterSeconds`. */
  no_worker: 503,
  /** It is on the machine that scans or prepares it and not in the object store yet; `host`, `why`. */
  snapshot_elsewhere: 503,
  /** The object store does not answer, or reports that it is temporarily unavailable. */
  snapshot_store_away: 503,
  /**
   * The object store answers but denies access: keys, bucket, region, or a location that belongs to another Colonnade.
   */
  snapshot_store_refused: 502,
  vault_key: 500,
  archive_damaged: 500,
  /** The store contains a journal of a deletion that this version cannot read. */
  journal_unreadable: 500,
  wrong_phrase: 422,
  consent_missing: 422,
  /** Keys of the instance are changed by a separate user, whose password is not stored. */
  write_credentials_missing: 409,
  /** The server does not accept that user or its password. */
  write_credentials_refused: 422,
  plan_outdated: 409,
  /** The instance requires an approval, and nobody has approved this plan. */
  approval_needed: 409,
  /** A person tries to approve what they planned or requested themselves. */
  own_approval: 403,
  panic: 409,
  other_server: 409,
  /** The instance cannot be removed, because some of its keys could no longer be restored. */
  deletions_open: 409,
  too_many_keys: 422,
  nothing_to_do: 422,
  nothing_undone: 422,
  /** The data folder cannot be read or written (rights, read-only file system). */
  data_folder: 500,
  /** The process that seals, rolls up or evaluates ended before it was done; completed work is kept. */
  worker_ended: 500,
  /** The control database can currently be read but not written: the disk is full or refuses; `folder`, `cause`. */
  store_read_only: 503,
  /** Another process on the same data folder holds its write lock and does not release it. */
  data_locked: 503,
  /** The PostgreSQL that holds the control database does not answer, or restarts. */
  database_unreachable: 503,
  /** The PostgreSQL answers but denies access: password, rights, version, certificate. */
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

  /**
   * Checks a brand instead of the class: the server compiles pages, routes and engine separately, so one process has
   * several copies of it.
   */
  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && BRAND in value;
  }
}

/** The error that an API client receives, and that a failed job stores. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

/** Converts an error for clients. The text of an unknown error is not shown, because it may contain anything. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details };
  return { code: 'internal', message: 'Something unexpected happened. The server log has the details.' };
}
