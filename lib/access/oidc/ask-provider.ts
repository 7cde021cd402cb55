/**
 * All requests to identity providers are made here. The discovery document of a provider names the other endpoints, so
 * its author could have the secret of the client sent anywhere: therefore only the issuer's host and those of the
 * settings are requested, at the address that was checked, over TLS unless the issuer itself is on this machine.
 * Redirects are not followed, an answer is limited in bytes and time, and the socket is closed at the time limit.
 */

import { lookup } from 'node:dns';
import { type RequestOptions, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import type { Provider } from '@/lib/model/accounts/oidc';
import { AppError } from '@/lib/model/errors';
import { log } from '@/lib/runtime/log';

/**
 * Addresses where no identity provider can be: link-local (metadata of clouds), multicast, unspecified. Private ranges
 * are allowed, because providers of companies are there.
 */
const refused = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['224.0.0.0', 3],
] as const)
  refused.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
] as const)
  refused.addSubnet(net, bits, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function isRefusedAddress(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  return refused.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}

/** Limits of one request, ms and bytes. */
const LIMIT_MS = 8_000;
const MAX_BYTES = 512 * 1024;

export function reportUnreachable(
  { id, label }: Pick<Provider, 'id' | 'label'>,
  problem: string,
  cause?: unknown,
): AppError {
  log().warn({ provider: id, problem, code: (cause as { code?: string } | undefined)?.code }, 'oidc.unreachable');
  return new AppError('provider_unreachable', `${label}: ${problem}`, { provider: label }, { cause });
}

/**
 * Checks an address that the provider names: it must be on the issuer's host or one of the settings. Errors:
 * `provider_unreachable`.
 */
export function checkEndpoint(provider: Provider, address: string): URL {
  const issuer = new URL(provider.issuer);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === issuer.protocol && [issuer.host, ...provider.hosts].includes(url.host)) return url;
  throw reportUnreachable(provider, `its endpoint ${url?.origin} is not on a host of its settings (issuer, hosts).`);
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * Sends one request to a provider and returns its whole answer. Errors: `provider_unreachable` (no answer, one that is
 * too large or late, or an error of the server).
 */
export async function askProvider(
  provider: Provider,
  address: string,
  sent: Sent,
  limitMs = LIMIT_MS,
): Promise<Response> {
  const url = checkEndpoint(provider, address);
  if (isIP(stripBrackets(url.hostname)) && isRefusedAddress(stripBrackets(url.hostname)))
    throw reportUnreachable(provider, `${url.hostname} is not an allowed destination.`);
  const body = sent.body === undefined || sent.body === null ? null : String(sent.body);
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = {
    method: sent.method ?? 'GET',
    headers: { ...sent.headers, 'accept-encoding': 'identity', connection: 'close', ...length },
    agent: false,
    lookup: lookUpChecked,
    // The limit covers name resolution, connection, TLS and the whole answer, and ends the socket.
    signal: AbortSignal.timeout(limitMs),
  };
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => (cause: unknown) => reject(reportUnreachable(provider, problem, cause));
    const send = url.protocol === 'https:' ? sendHttps : sendHttp;
    const request = send(url, options, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= MAX_BYTES) return parts.push(part);
        request.destroy();
        fail(`its answer is larger than ${MAX_BYTES / 1024} KiB.`)(undefined);
      });
      answer.once('error', fail('it ended its answer halfway, or took too long.'));
      answer.once('aborted', fail('it ended its answer halfway.'));
      answer.once('end', () => {
        const { statusCode = 500 } = answer;
        const type = answer.headers['content-type'];
        if (statusCode >= 500 || statusCode < 200) return fail(`it answers with HTTP ${statusCode}.`)(undefined);
        const headers = { ...(type !== undefined && { 'content-type': type }) };
        const empty = statusCode === 204 || statusCode === 304;
        resolve(new Response(empty ? null : Buffer.concat(parts), { status: statusCode, headers }));
      });
    });
    request.once('error', (cause) =>
      fail(
        cause.name === 'AbortError' || cause.name === 'TimeoutError' ? 'it takes too long.' : 'it cannot be reached.',
      )(cause),
    );
    request.end(body ?? undefined);
  });
}

const stripBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** Resolves a name, checks the addresses, and connects to exactly a checked one. */
const lookUpChecked: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, found) => {
    const allowed = error ? [] : found.filter(({ address }) => !isRefusedAddress(address));
    const [first] = allowed;
    if (first === undefined) return done(error ?? new Error('not an allowed destination'), '', 4);
    if (options.all) return done(null, allowed);
    done(null, first.address, first.family);
  });
};
