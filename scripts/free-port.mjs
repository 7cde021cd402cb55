import { createServer } from 'node:net';

/** Returns true if nothing listens on this port of `host`. */
export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Returns the first free port from `first` on. */
export async function freePortFrom(first, isGood = isFree) {
  for (let port = first; port < first + 500; port += 1) {
    if (await isGood(port)) return port;
  }
  throw new Error(`No free port between ${first} and ${first + 500}.`);
}
