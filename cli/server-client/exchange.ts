import { request as askHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { formatVersionLine } from '@/cli/version';
import type { ServerAccess } from './server-access';

export const EXCHANGE_LIMITS = {
  /** Limit of the whole answer: a level of a tree, a page of keys and the findings are far smaller. */
  bytes: 64 * 1024 * 1024,
  /** Time limit in ms, from the request to the last byte of the answer. */
  ms: 30_000,
  /** The same, for requests that read the rows of a snapshot. */
  reportMs: 600_000,
};

/** One request. `ms`: its time limit; default: EXCHANGE_LIMITS.ms. */
export interface OutgoingRequest {
  method: string;
  path: string;
  body?: unknown;
  ms?: number | undefined;
}
export interface Answered {
  status: number;
  contentType: string;
  location: string | null;
  retryAfterSeconds: number | null;
  text: string;
}

/** The connection failed, as opposed to an error that the server answered. */
export class NotAnswered extends Error {
  constructor(
    message: string,
    /** Whether the server may have carried out the request. */
    readonly sent: boolean,
    /** Retrying does not help, for example for an untrusted certificate. */
    readonly lasting = false,
  ) {
    super(message);
  }
}

/**
 * Sends one request and returns the answer. Redirects are not followed, and certificates are verified whatever the
 * environment says. If a limit of time or size is exceeded, the socket is destroyed. Answers are not decompressed,
 * because no encoding is requested.
 */
export function exchange(
  { origin, token }: ServerAccess,
  { method, path, body, ms }: OutgoingRequest,
): Promise<Answered> {
  const limit = ms ?? EXCHANGE_LIMITS.ms;
  const bodyText = body === undefined ? null : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    'user-agent': formatVersionLine().trim().replace(' ', '/'),
    // Without a token the server is in single-user mode, which requires its own origin for changes.
    ...(token === null ? { 'x-colonnade': '1', origin: origin.origin } : { authorization: `Bearer ${token.reveal()}` }),
    ...(bodyText !== null && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(bodyText)),
    }),
  };
  return new Promise((resolve, reject) => {
    const ask = origin.protocol === 'https:' ? askHttps : askHttp;
    const request: ClientRequest = ask(new URL(path, origin), {
      method,
      headers,
      agent: false,
      rejectUnauthorized: true,
    });
    let written = false;
    const fail = (message: string, lasting = false) => {
      clearTimeout(timer);
      reject(new NotAnswered(message, written, lasting));
      request.destroy();
    };
    const timer = setTimeout(() => fail(`did not answer within ${limit / 1000} seconds`), limit);
    request.on('finish', () => {
      written = true;
    });
    request.on('error', (error: NodeJS.ErrnoException) => fail(...describeFailure(error)));
    request.on('response', (response) => {
      readBounded(response, fail, (text) => {
        clearTimeout(timer);
        resolve({ ...readHead(response), text });
      });
    });
    request.end(bodyText ?? undefined);
  });
}

function readBounded(response: IncomingMessage, fail: (message: string) => void, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > EXCHANGE_LIMITS.bytes)
      fail(`sent more than ${EXCHANGE_LIMITS.bytes / 1024 / 1024} MiB, which no answer of Colonnade needs`);
    else chunks.push(chunk);
  });
  response.on('aborted', () => fail('broke off in the middle of its answer'));
  response.on('error', () => fail('broke off in the middle of its answer'));
  response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}

function readHead({ statusCode, headers }: IncomingMessage): Omit<Answered, 'text'> {
  const seconds = headers['retry-after'] ?? '';
  return {
    status: statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    location: headers.location ?? null,
    retryAfterSeconds: /^\d{1,4}$/.test(seconds) ? Number(seconds) : null,
  };
}

function describeFailure(error: NodeJS.ErrnoException): [message: string, lasting: boolean] {
  const code = error.code ?? '';
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|HOSTNAME_MISMATCH/.test(code);
  if (isCertificate)
    return [
      `shows a certificate that is not trusted (${code}). With a CA of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`,
      true,
    ];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return ['does not speak TLS there; is it http?', true];
  if (code.startsWith('HPE_')) return ['does not answer in HTTP', true];
  return [`cannot be reached (${code || error.message})`, false];
}
