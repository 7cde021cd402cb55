import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { checkConfig, config } from '@/lib/runtime/config';
import { EXIT, UsageError } from '../exit';
import { readOwnTls, serveOverTls } from './own-tls';

const OPTIONS = { port: { type: 'string' }, host: { type: 'string' }, data: { type: 'string' } } as const;

/** Places of the server relative to this program: in a container, in an installed package, in a built checkout. */
const PLACES = ['./server.js', '../server/server.js', '../.next/standalone/server.js'];

/**
 * `colonnade serve`: the parent of the program that serves pages and of the one that runs jobs. With COLONNADE_ROLE
 * this process is one of them. The options set the variables PORT, HOST and COLONNADE_DATA.
 */
export async function run(args: string[]): Promise<number> {
  const { port, host, data } = parseOptions(args);
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
  const [{ defineOwnPrograms: ownPrograms }, { runPrograms }] = await Promise.all([
    import('./own-programs'),
    import('./run-programs'),
  ]);
  return runPrograms(ownPrograms(process.argv[1] as string), config.speaksTls);
}

/** Serves pages in this process; the server then decides when it ends. */
async function serve(): Promise<number> {
  const server = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file));
  if (server === undefined)
    throw new Error('There is no built server beside this program. In a checkout: npm run build.');
  const tls = readOwnTls();
  await refuseTaken(config.port, config.host);

  // The server works in its own folder, so the data folder is named in full before; containers set HOSTNAME to a name
  // of their own, and Next would listen there.
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
  dropNetworkLine();
  await import(pathToFileURL(server).href);
  return new Promise(() => {});
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Hides a line of Next that lists the listen address again as a network address, which it may not be. */
function dropNetworkLine(): void {
  const log = console.log;
  console.log = (...parts: unknown[]) => {
    if (String(parts[0]).startsWith('- Network:')) console.log = log;
    else log(...parts);
  };
}

/** Checks the port first, because Next would report a used port with a stack trace. */
function refuseTaken(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(new Error(taken ? `Port ${port} on ${host} is in use. Choose another one with --port.` : error.message));
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()));
  });
}
