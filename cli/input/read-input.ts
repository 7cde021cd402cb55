import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '@/cli/exit';
import { AppError } from '@/lib/model/errors';
import type { Secret } from '@/lib/model/secret';
import { findTwice } from '@/lib/model/servers/address-map';
import { parseAddressMap } from '@/lib/model/servers/address-map-text';
import { InstanceInput } from '@/lib/model/servers/instance';
import { parseRedisUrl } from '@/lib/model/servers/redis-url';

interface ConnectionOptions {
  cluster?: boolean;
  sentinel?: string;
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  insecure?: boolean;
  map?: string;
  'only-these'?: boolean;
  'ask-password'?: boolean;
}

/** Turns URL, options and environment into the values of the registration form. Throws UsageError. */
export async function readInput(
  url: string,
  options: ConnectionOptions,
  secrets: { password: Secret | null; sentinelPassword: Secret | null },
): Promise<InstanceInput> {
  const parsed = asUsage(() => parseRedisUrl(url));
  if (options.cluster && options.sentinel) throw new UsageError('--cluster and --sentinel exclude each other.');
  if (parsed.password !== null) {
    process.stderr.write(
      'colonnade: a password in an argument can be seen by other users of this machine; use COLONNADE_PASSWORD or --ask-password\n',
    );
  }
  const password = options['ask-password'] ? await askPassword() : (secrets.password?.reveal() ?? parsed.password);
  if (options.cluster && parsed.topology === 'sentinel')
    throw new UsageError('--cluster and a URL of Sentinels exclude each other.');
  const topology = options.cluster ? 'cluster' : options.sentinel ? 'sentinel' : (parsed.topology ?? 'standalone');
  if (topology === 'standalone' && parsed.endpoints.length > 1)
    throw new UsageError('Several addresses need --cluster or --sentinel NAME.');
  if (options['only-these'] && topology !== 'cluster') throw new UsageError('--only-these needs --cluster.');
  const tls = parsed.tls || options.ca !== undefined || options.cert !== undefined || options.insecure === true;
  const result = InstanceInput.safeParse({
    name: parsed.endpoints
      .map(({ host, port }) => `${host}:${port}`)
      .join(',')
      .slice(0, 80),
    topology,
    endpoints: parsed.endpoints,
    sentinelName: options.sentinel ?? parsed.sentinelName,
    addressMap: parseAddressMap(options.map ?? ''),
    onlyEndpoints: options['only-these'] === true,
    username: parsed.username,
    tls: {
      enabled: tls,
      ca: readOptionFile(options.ca),
      cert: readOptionFile(options.cert),
      servername: options.servername,
      skipVerify: options.insecure === true,
    },
    databases: parsed.database === null ? null : [parsed.database],
    secrets: {
      password: password || null,
      sentinelPassword: secrets.sentinelPassword?.reveal(),
      tlsKey: readOptionFile(options.key),
    },
  });
  if (result.success && findTwice(result.data.addressMap) !== undefined)
    throw new UsageError(`--map has ${findTwice(result.data.addressMap)} twice on one side.`);
  if (!result.success && result.error.issues.some(({ path: [field] }) => field === 'addressMap'))
    throw new UsageError('--map is ANNOUNCED=USE[,…], for example --map 10.0.0.5:6379=127.0.0.1:7001');
  if (!result.success)
    throw new UsageError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  return result.data;
}

function readOptionFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Runs the function; its AppError becomes a UsageError. */
function asUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof AppError) throw new UsageError(error.message);
    throw error;
  }
}

/** Reads a password from the terminal without showing what is typed. */
async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('--ask-password needs a terminal; use COLONNADE_PASSWORD.');
  process.stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const line = createInterface({ input: process.stdin, output: silent, terminal: true });
  const answer = await line.question('');
  line.close();
  process.stderr.write('\n');
  return answer;
}
