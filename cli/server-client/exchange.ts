import { request as askHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as askHttps } from 'node:https';
import { versionLine } from '@/cli/version';
import type { ServerAccess } from './server-access';

export const EXCHANGE_LIMITS = {
  /** Of the whole answer: a level of a tree, a page of keys and the findings are far smaller. */
  bytes: 64 * 1024 * 1024,
  /** From the question to the last byte. */
  ms: 30_000,
  /** The same, of what reads the rows of a snapshot. */
  reportMs: 600_000,
};

export interface Question {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  ms?: number;
}
export interface Answered {
  status: number;
  contentType: string;
  location: string | null;
  retryAfterSeconds: number | null;
  text: string;
}

/** The connection, not what was answered over it. `sent`: the server may have done what it was asked. */
export class NotAnswered extends Error {
  constructor(
    message: string,
    readonly sent: boolean,
    /** Trying again helps nothing: a certificate that nobody trusts. */
    readonly lasting = false,
  ) {
    super(message);
  }
}

/**
 * One question, one answer: no redirect is followed, certificates are verified whatever the environment says, and both
 * time and size end with the socket destroyed. Nothing is unpacked: no other encoding is asked for.
 */
export function exchange({ origin, token }: ServerAccess, { method, path, body, ms }: Question): Promise<Answered> {
  const limit = ms ?? EXCHANGE_LIMITS.ms;
  const sent = body === undefined ? null : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    'user-agent': versionLine().trim().replace(' ', '/'),
    // Without a token it is a server for one person, which asks who changes something for its own origin.
    ...(token === null ? { 'x-colonnade': '1', origin: origin.origin } : { authorization: `Bearer ${token.reveal()}` }),
    ...(sent !== null && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }),
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
    request.on('error', (error: NodeJS.ErrnoException) => fail(...reasonOf(error)));
    request.on('response', (response) => {
      readBounded(response, fail, (text) => {
        clearTimeout(timer);
        resolve({ ...headOf(response), text });
      });
    });
    request.end(sent ?? undefined);
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

function headOf({ statusCode, headers }: IncomingMessage): Omit<Answered, 'text'> {
  const seconds = headers['retry-after'] ?? '';
  return {
    status: statusCode ?? 0,
    contentType: headers['content-type'] ?? '',
    location: headers.location ?? null,
    retryAfterSeconds: /^\d{1,4}$/.test(seconds) ? Number(seconds) : null,
  };
}

function reasonOf(error: NodeJS.ErrnoException): [message: string, lasting: boolean] {
  const code = error.code ?? '';
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|HOSTNAME_MISMATCH/.test(code);
  if (certificate)
    return [
      `shows a certificate that is not trusted (${code}). With a CA of your own: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`,
      true,
    ];
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return ['does not speak TLS there; is it http?', true];
  if (code.startsWith('HPE_')) return ['does not answer in HTTP', true];
  return [`cannot be reached (${code || error.message})`, false];
}
