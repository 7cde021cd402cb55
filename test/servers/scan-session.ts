import { connect, type Socket } from 'node:net';
import { Secret } from '@/lib/model/secret';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy, RedisSession } from '@/lib/redis/connection/session';
import type { PartitionInput, ScanBatch } from '@/lib/redis/scan/scan-batch';
import { type ScanTuning, scanPartition } from '@/lib/redis/scan/scan-partition';
import type { ScanCapabilities } from '@/lib/redis/server/scan-capabilities';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';

/** Opens a session to a server on loopback, and builds the input of a scan of it, for tests of the scanner. */
export function connectTo(server: { host: string; port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host, () => resolve(socket));
    socket.once('error', reject);
  });
}

export const ANYWHERE: DestinationPolicy = { resolve: async (host) => [{ ip: host, family: 4 }] };

export function sessionTo(
  server: { host: string; port: number; password?: string | undefined },
  settings: { username?: string; password?: string; protocol?: 'auto' | '2'; topology?: 'standalone' | 'cluster' } = {},
): Promise<RedisSession> {
  return openSession(makeTarget(server, settings), ANYWHERE);
}

function makeTarget(
  server: { host: string; port: number; password?: string | undefined },
  settings: { username?: string; password?: string; protocol?: 'auto' | '2'; topology?: 'standalone' | 'cluster' },
) {
  const secret = settings.password ?? server.password;
  return {
    id: 'test',
    name: 'test',
    topology: settings.topology ?? ('standalone' as const),
    endpoints: [{ host: server.host, port: server.port }],
    addressMap: [],
    onlyEndpoints: false,
    sentinelName: null,
    username: settings.username ?? null,
    sentinelUsername: null,
    tls: { enabled: false, skipVerify: false },
    databases: null,
    protocol: settings.protocol ?? ('auto' as const),
    tags: [],
    environment: '',
    owner: '',
    readOnly: true,
    production: false,
    secondPerson: false,
    valuesForbidden: false,
    password: secret === undefined ? null : new Secret(secret),
    sentinelPassword: null,
    separateWriteUser: false,
    writeUsername: null,
    writePassword: null,
    tlsKey: null,
  };
}

/** Returns a session that only opens sockets, for servers that do not answer the first commands of a session. */
export function socketOnly(server: { host: string; port: number }): RedisSession {
  return {
    target: makeTarget(server, {}),
    nodes: [],
    problems: new Map(),
    refresh: async () => [],
    client: () => Promise.reject(new Error('not for this test')),
    openSocket: () => connectTo(server),
    close: async () => undefined,
  };
}

export const ALL_ALLOWED: ScanCapabilities = {
  scan: true,
  memoryUsage: true,
  objectEncoding: true,
  objectIdle: true,
  objectFreq: false,
  objectRefcount: false,
  sharedIntegers: false,
  pexpiretime: true,
  pttl: true,
  type: true,
  lengths: { string: true, hash: true, list: true, set: true, zset: true, stream: true },
  noTouch: false,
  denied: [],
};

export function inputFor(
  session: RedisSession,
  server: { host: string; port: number },
  options: Partial<PartitionInput> = {},
): PartitionInput {
  return {
    session,
    node: 0,
    address: `${server.host}:${server.port}`,
    role: 'master',
    clustered: false,
    db: 0,
    cursor: '0',
    facts: 'full',
    capabilities: ALL_ALLOWED,
    matchPrefix: null,
    throttle: createNodeThrottle('fast'),
    signal: new AbortController().signal,
    ...options,
  };
}

export interface ScannedKey {
  name: Buffer;
  type: string | null;
  encoding: string | null;
  expireAt: number;
  bytes: number;
  length: number;
  idleSeconds: number;
  freq: number;
  slot: number;
  long: { nameBytes: number; sha256: string } | null;
}

/** Runs a scan to its end. Returns the keys, by the hex of their stored bytes, and the pages. */
export async function readAll(input: PartitionInput, tuning: ScanTuning = {}) {
  const keys = new Map<string, ScannedKey>();
  const batches: ScanBatch[] = [];
  for await (const batch of scanPartition(input, tuning)) {
    batches.push(batch);
    for (const key of toScannedKeys(batch)) keys.set(key.name.toString('hex'), key);
  }
  const sum = (of: (batch: ScanBatch) => number) => batches.reduce((total, batch) => total + of(batch), 0);
  return {
    keys,
    batches,
    vanished: sum((batch) => batch.vanished),
    oversize: sum((batch) => batch.oversize),
    lengthNotAsked: sum((batch) => batch.lengthNotAsked),
  };
}

export function toScannedKeys({ page }: ScanBatch): ScannedKey[] {
  return Array.from({ length: page.count }, (_, i) => ({
    name: page.names[i]!,
    type: page.types[i]!,
    encoding: page.encodings[i]!,
    expireAt: page.expireAt[i]!,
    bytes: page.bytes[i]!,
    length: page.length[i]!,
    idleSeconds: page.idleSeconds[i]!,
    freq: page.freq[i]!,
    slot: page.slot[i]!,
    long: page.long?.get(i) ?? null,
  }));
}
