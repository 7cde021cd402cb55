/**
 * This table lists every way a connection can fail, with what to do about it. Nothing that was sent may get into a
 * message: a server that does not know AUTH repeats the password in its error text, and ioredis keeps a command's
 * arguments on its errors. So replies are matched against this table, only their first word is shown, and causes are
 * never attached.
 */

import { AppError, type ErrorCode, type ErrorDetails } from '@/lib/model/errors';
import { findServerRefusal } from '@/lib/redis/protocol/classify-refusal';

/** The connection that an error is about. */
export interface ErrorContext {
  host: string;
  port: number;
  tls: boolean;
  /** The user that signs in; null = the default user. */
  username?: string | null;
  hasPassword?: boolean;
  /** The name that the node announces in addition to its address; its certificate may be issued for that name. */
  hostname?: string | null | undefined;
  /** Whether this is a Sentinel connection; those have their own user and password. */
  sentinel?: boolean;
}

/** `describe` returns the sentence; `at` is the address, `command` the command that failed. */
type Row = [pattern: RegExp, code: ErrorCode, describe: (at: string, where: ErrorContext, command: string) => string];

const describeSilence = (at: string) =>
  `${at} did not answer in time. Check address, firewall and whether the server is overloaded.`;
export const describeClosed = (at: string) => `${at} closed the connection.`;
export const describePlainPort = (at: string) =>
  `${at} does not speak TLS on this port. Turn TLS off, or use the TLS port of the server.`;
export const describeTlsPort = (at: string) => `${at} speaks TLS on this port. Turn TLS on.`;

const formatUser = (where: ErrorContext) => (where.username ? `user "${where.username}"` : 'the default user');

/** Uses the code that channels use for this reply (`findServerRefusal`), with the address in the sentence. */
function toServerRow(word: string, describe: Row[2]): Row {
  return [new RegExp(`^${word}\\b`), findServerRefusal(word)?.code ?? 'redis_error', describe];
}

/** Error replies of the server; the first match wins. */
const REPLIES: Row[] = [
  [
    /^NOAUTH|^ERR operation not permitted/,
    'redis_auth_required',
    (at, where) =>
      where.hasPassword
        ? `${at} rejected the authentication. Check user name and password.`
        : `${at} requires a password. Enter the password${where.sentinel ? ' of the Sentinels' : ''}, and the user name if it uses ACL users.`,
  ],
  [
    /^WRONGPASS|^ERR invalid password|^ERR invalid username/,
    'redis_wrong_password',
    (at, where) => `${at} refused the password of ${formatUser(where)}, or that user is disabled. Check both.`,
  ],
  [
    /^ERR AUTH <password> called without any password|^ERR Client sent AUTH, but no password is set/,
    'redis_wrong_password',
    (at) => `${at} has no password set. Remove the password, or name the ACL user it belongs to.`,
  ],
  [
    /^ERR unknown command.*(?:auth|hello)/i,
    'redis_auth_required',
    (at) => `${at} does not know the AUTH command (renamed, or a proxy), so authentication is impossible.`,
  ],
  [
    /^DENIED/,
    'redis_auth_required',
    (at) =>
      `${at} runs in protected mode: it answers only to its own machine until it has a password (requirepass) or protected-mode is turned off.`,
  ],
  [
    /^NOPERM/,
    'redis_no_permission',
    (at, where, command) => `${at} does not permit ${command} to ${formatUser(where)}. Extend its ACL rules.`,
  ],
  toServerRow('LOADING', (at) => `${at} is still loading its data into memory. Try again when it has finished.`),
  toServerRow('BUSY', (at) => `${at} is busy running a script. Try again when it has finished.`),
  toServerRow(
    'MASTERDOWN',
    (at) => `${at} is a replica that has lost its master and does not serve stale data (replica-serve-stale-data no).`,
  ),
  toServerRow(
    'CLUSTERDOWN',
    (at) => `The cluster at ${at} is down: some slots have no node. Repair the cluster first.`,
  ),
  [
    /^ERR max number of clients/,
    'redis_unreachable',
    (at) => `${at} has reached its limit of clients (maxclients). Raise it or close idle connections.`,
  ],
  [
    /^ERR DB index|^ERR invalid DB|^ERR SELECT is not allowed|^ERR value is out of range/,
    'redis_no_database',
    (at) => `${at} does not have the requested database.`,
  ],
  [/^MOVED|^ASK/, 'redis_is_cluster', (at) => `${at} is part of a cluster. Register the instance as Cluster.`],
  [
    /^ERR This instance has cluster support disabled/,
    'redis_not_cluster',
    (at) => `${at} is not a cluster node. Register the instance as Standalone.`,
  ],
  [
    /^ERR Protocol error/,
    'redis_protocol',
    (at) => `${at} and this program do not speak the same protocol. Is there a proxy in between? Try protocol 2.`,
  ],
];

/** Error codes of Node.js sockets and TLS. */
const SOCKETS: Row[] = [
  [/^ECONNREFUSED$/, 'redis_unreachable', (at) => `${at} refuses connections. Is the server running on that port?`],
  [/^EHOSTUNREACH$|^ENETUNREACH$|^EADDRNOTAVAIL$/, 'redis_unreachable', (at) => `There is no network route to ${at}.`],
  [/^ECONNRESET$|^EPIPE$|^ECONNABORTED$/, 'redis_unreachable', describeClosed],
  [/^ETIMEDOUT$|^ESOCKETTIMEDOUT$/, 'redis_timeout', describeSilence],
  [
    /^ENOTFOUND$|^EAI_/,
    'redis_dns',
    (_at, where) => `The name ${where.host} could not be resolved. Check the spelling and the DNS.`,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA|CERT_CHAIN_TOO_LONG/,
    'redis_tls',
    (at) => `The certificate of ${at} is not signed by a known authority. Add the CA certificate of the server.`,
  ],
  [/^CERT_HAS_EXPIRED$/, 'redis_tls', (at) => `The certificate of ${at} has expired. Renew it on the server.`],
  [/^CERT_NOT_YET_VALID$/, 'redis_tls', (at) => `The certificate of ${at} is not valid yet. Check the clocks.`],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    'redis_tls',
    (at) =>
      `The certificate of ${at} is for another name. Connect by the name in the certificate, or set it as TLS server name.`,
  ],
  [/WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG/, 'redis_tls', describePlainPort],
  [
    /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)|CERTIFICATE_REQUIRED/,
    'redis_tls',
    (at) => `${at} requires a client certificate that it trusts. Add certificate and key, signed by its CA.`,
  ],
  [
    /PEM|ASN1|X509|KEY_VALUES_MISMATCH|UNSUPPORTED|DECODER/,
    'redis_tls',
    () =>
      'The CA, certificate or key cannot be read, or certificate and key do not belong together (PEM text expected).',
  ],
  [/^ERR_SSL|^ERR_TLS|^EPROTO$/, 'redis_tls', (at) => `The TLS handshake with ${at} failed. Check the TLS settings.`],
];

/** Creates an error about an address, with host and port in its details. */
export function createFailure(
  code: ErrorCode,
  { host, port }: ErrorContext,
  describe: (at: string) => string,
  more: ErrorDetails = {},
): AppError {
  return new AppError(code, describe(`${host}:${port}`), { host, port, ...more });
}

export const createTimeoutError = (where: ErrorContext) => createFailure('redis_timeout', where, describeSilence);

/** The error for an operation that was in progress when the session was closed. */
export const createAbortedError = (where: ErrorContext) =>
  createFailure('redis_unreachable', where, (at) => `The connection to ${at} has been closed.`);

/** First words of error replies that servers use; any other word might be an echo of what was sent. */
const REPLY_WORD =
  /^(ERR|WRONGTYPE|READONLY|OOM|MISCONF|NOREPLICAS|TRYAGAIN|CROSSSLOT|EXECABORT|NOSCRIPT|NOPROTO|INPROG|UNKILLABLE) /;

/** Whether ioredis reports an error reply of the server, as opposed to a failure of the connection. */
export const isReplyError = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';

/** Only the name of the command is read, because ioredis keeps its arguments next to it. */
type SentError = { code?: string; message?: string; command?: { name?: string } };

/** Turns any failure of connecting or of a single command into an AppError. An AppError is returned unchanged. */
export function toConnectionError(error: unknown, where: ErrorContext, command?: string): AppError {
  if (error instanceof AppError) return error;
  const { code = '', message = '', command: failed } = (error ?? {}) as SentError;
  const sent = command ?? failed?.name?.toUpperCase();
  const more: ErrorDetails = sent ? { command: sent } : {};
  for (const [pattern, errorCode, describe] of REPLIES) {
    if (pattern.test(message))
      return createFailure(errorCode, where, (at) => describe(at, where, sent ?? 'this command'), more);
  }
  for (const [pattern, errorCode, describe] of SOCKETS) {
    if (pattern.test(code))
      return createFailure(errorCode, where, (at) => describe(at, where, ''), { ...more, cause: code });
  }
  if (/timed out|ETIMEDOUT/i.test(message)) return createFailure('redis_timeout', where, describeSilence, more);
  if (/Connection is closed|Stream isn't writeable|connection close/i.test(message)) {
    return createFailure('redis_unreachable', where, describeClosed, more);
  }
  if (isReplyError(error) || REPLY_WORD.test(message)) {
    // Show only the first word of the error: the rest may repeat what was sent.
    const reply = REPLY_WORD.exec(message)?.[1] ?? 'ERR';
    const describe = (at: string) => `${at} answered ${sent ?? 'a command'} with an error (${reply}).`;
    return createFailure('redis_error', where, describe, { ...more, reply });
  }
  const describe = (at: string) => `${at} answered with something that is not Redis protocol.`;
  return createFailure('redis_protocol', where, describe, more);
}
