import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EXIT } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { checkConfig, config } from '@/lib/runtime/config';
import { readOwnTls, serveOverTls } from './own-tls';

const OPTIONS = { port: { type: 'string' }, host: { type: 'string' }, data: { type: 'string' } } as const;

/** Places of the server relative to this program: in a container, in an installed package, in a built checkout. */
const SERVER_FILES = ['./server.js', '../server/server.js', '../.next/standalone/server.js'];

/**
 * `colonnade serve`: the parent of the program that serves pages and of the one that runs jobs. With COLONNADE_ROLE
 * this process is one of them. The options set the variables PORT, HOST and COLONNADE_DATA.
 */
export async function run(args: string[]): Promise<number> {
  const { port, host, data } = parseArguments({ args, options: OPTIONS }).values;
  if (port !== undefined) process.env.PORT = port;
  if (host !== undefined) process.env.HOST = host;
  if (data !== undefined) process.env.COLONNADE_DATA = data;
  checkConfig();
  // The role decides what this process runs, whatever command was given.
  if (config.role === 'worker') return (await import('../worker')).run([]);
  if (config.role === 'all') return runBoth();
  return serve();
}

async function runBoth(): Promise<number> {
  const { defineOwnPrograms } = await import('./own-programs');
  const { runPrograms } = await import('./run-programs');
  return runPrograms(defineOwnPrograms(process.argv[1] as string), config.speaksTls);
}

/** Serves pages in this process; the server then decides when it ends. */
async function serve(): Promise<number> {
  const server = SERVER_FILES.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((file) =>
    existsSync(file),
  );
  if (server === undefined)
    throw new Error('There is no built server next to this program. In a checkout: npm run build.');
  const tls = readOwnTls();
  await refuseUsedPort(config.port, config.host);

  // The server changes to its own folder, so it gets the absolute path of the data folder. It also gets HOSTNAME, which
  // Next listens on: containers set it to their own name.
  Object.assign(process.env, {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    COLONNADE_DATA: config.dataDir,
    PORT: String(config.port),
    HOST: config.host,
    HOSTNAME: config.host,
  });
  const shown = config.host.includes(':') ? `[${config.host}]` : config.host;
  process.stderr.write(`Colonnade: ${tls ? 'https' : 'http'}://${shown}:${config.port}   data: ${config.dataDir}\n`);
  process.stderr.write(
    config.listensOnLoopback
      ? 'Reachable from this machine only. Set HOST or --host to listen elsewhere.\n'
      : tls
        ? 'Listening beyond this machine.\n'
        : 'Listening beyond this machine. Put TLS in front: passwords and cookies would cross the network in plain.\n',
  );

  if (tls) serveOverTls(tls, (text) => process.stderr.write(`${text}\n`));
  // From here on the server decides how this process ends.
  process.exitCode = EXIT.fine;
  process.removeAllListeners('uncaughtException');
  hideNetworkLine();
  await import(pathToFileURL(server).href);
  return new Promise(() => {});
}

/** Hides a line of Next that lists the listen address again as a network address, which it may not be. */
function hideNetworkLine(): void {
  const log = console.log;
  console.log = (...parts: unknown[]) => {
    if (String(parts[0]).startsWith('- Network:')) console.log = log;
    else log(...parts);
  };
}

/** Throws if the port is used, in one sentence. Next would print a stack trace. */
function refuseUsedPort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const isUsed = error.code === 'EADDRINUSE';
      reject(new Error(isUsed ? `Port ${port} on ${host} is in use. Choose another one with --port.` : error.message));
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()));
  });
}
