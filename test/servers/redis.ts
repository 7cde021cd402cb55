import { writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import { type Child, freePort, removeFolder, serverBinary, sleep, startChild, temporaryFolder } from './process';
import { type Certificates, makeCertificates, tlsConfig } from './tls';

export interface ServerOptions {
  /** Further arguments, as on the command line: `['--maxmemory-policy', 'allkeys-lfu']`. */
  args?: string[];
  /** Password of the default user. */
  password?: string;
  /** ACL users as in redis.conf: `user name on >secret ~* +@read`. */
  acl?: string[];
  /** `true` creates new certificates. `clientAuth` defaults to 'no'. */
  tls?: boolean | { certificates?: Certificates; clientAuth?: 'no' | 'optional' | 'yes' };
  /** Maps a command to its new name ('' removes the command). */
  renamed?: Record<string, string>;
  port?: number;
  databases?: number;
  /** Configuration lines of a Sentinel, to be started instead of a data server. */
  sentinel?: string[];
  /** Path of another program than the one on PATH. */
  binary?: string;
}

export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly url: string;
  readonly pid: number;
  readonly args: string[];
  readonly folder: string;
  readonly password: string | undefined;
  readonly certificates: Certificates | undefined;
  /** Returns a plain ioredis client as the default user, for seeding; stop() closes it. */
  client(options?: RedisOptions): Redis;
  output(): string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
  /**
   * Sends a signal: SIGKILL and SIGTERM end the server (and this waits for the end), SIGSTOP/SIGCONT suspend and resume
   * it.
   */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port with the same configuration (the data is lost unless `args` persist it). */
  restart(): Promise<void>;
}

/** Quotes a value for redis.conf. */
export const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Returns the first reply to PING, whatever it is: `+PONG`, `-NOAUTH`, `-LOADING`… null = nothing listens yet. */
function firstReply(port: number, tls: Certificates | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    let socket: Socket;
    const end = (text: string | null) => {
      socket.destroy();
      resolve(text);
    };
    if (tls) {
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, cert: tls.clientCert, key: tls.clientKey };
      const secured = connectTls(options, () => secured.write('PING\r\n'));
      socket = secured;
    } else {
      socket = connectTcp({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    }
    socket.setTimeout(1000, () => end(null));
    socket.once('data', (data) => end(data.toString('latin1')));
    socket.once('error', () => end(null));
    socket.once('close', () => resolve(null));
  });
}

export async function startRedis(wishes: ServerOptions = {}): Promise<RedisServer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await startOnce(wishes, wishes.port ?? (await freePort()));
    } catch (error) {
      // Another process may take the port between the check and the server's bind.
      if (wishes.port || attempt >= 4 || !String(error).includes('Address already in use')) throw error;
    }
  }
}

async function startOnce(wishes: ServerOptions, port: number): Promise<RedisServer> {
  const folder = temporaryFolder();
  const tls = wishes.tls === true ? {} : wishes.tls || undefined;
  const certificates = tls ? (tls.certificates ?? (await makeCertificates())) : undefined;
  const config = [
    'bind 127.0.0.1',
    tls ? `port 0\ntls-port ${port}` : `port ${port}`,
    `dir ${quote(folder)}`,
    ...(wishes.sentinel
      ? []
      : [
          'save ""',
          'appendonly no',
          `databases ${wishes.databases ?? 16}`,
          'repl-diskless-sync-delay 0',
          // The old name of the option, which every version knows.
          'repl-ping-slave-period 1',
        ]),
    ...(certificates ? tlsConfig(folder, certificates, tls?.clientAuth ?? 'no') : []),
    ...(wishes.password ? [`requirepass ${quote(wishes.password)}`] : []),
    ...(wishes.password && !wishes.sentinel ? [`masterauth ${quote(wishes.password)}`] : []),
    ...(wishes.acl ?? []),
    ...Object.entries(wishes.renamed ?? {}).map(([from, to]) => `rename-command ${from} ${to === '' ? '""' : to}`),
    ...(wishes.sentinel ?? []),
  ];
  const file = join(folder, 'redis.conf');
  writeFileSync(file, `${config.join('\n')}\n`, { mode: 0o600 });
  const args = [file, ...(wishes.sentinel ? ['--sentinel'] : []), ...(wishes.args ?? [])];

  const launch = async (): Promise<Child> => {
    const started = startChild(wishes.binary ?? serverBinary(), args, folder);
    let code: number | null | undefined;
    void started.exited.then((value) => {
      code = value;
    });
    for (let waited = 0; waited < 15_000; waited += 15) {
      if (code !== undefined) throw new Error(`redis-server ended with ${code} on port ${port}:\n${started.output()}`);
      const reply = await firstReply(port, certificates);
      if (reply !== null && !reply.startsWith('-LOADING')) return started;
      await sleep(15);
    }
    started.kill('SIGKILL');
    throw new Error(`redis-server did not answer on port ${port}:\n${started.output()}`);
  };

  let child = await launch();
  const clients = new Set<Redis>();
  return {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    url: `${tls ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    args,
    folder,
    password: wishes.password,
    certificates,
    get pid() {
      return child.pid;
    },
    client(options = {}) {
      const client = new Redis({
        port,
        host: '127.0.0.1',
        protocol: 2,
        maxRetriesPerRequest: 1,
        ...(wishes.password ? { password: wishes.password } : {}),
        ...(certificates
          ? { tls: { ca: certificates.ca, cert: certificates.clientCert, key: certificates.clientKey } }
          : {}),
        ...options,
      });
      client.on('error', () => undefined);
      clients.add(client);
      return client;
    },
    output: () => child.output(),
    async stop() {
      for (const client of clients) client.disconnect();
      clients.clear();
      child.kill('SIGKILL');
      await child.exited;
      removeFolder(folder);
    },
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      if (signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT') await child.exited;
    },
    async restart() {
      child.kill('SIGKILL');
      await child.exited;
      child = await launch();
    },
  };
}
