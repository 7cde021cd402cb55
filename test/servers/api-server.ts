import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RouteHandler } from '@/lib/http/handle';

type Routes = Record<string, { [method: string]: unknown }>;

/**
 * Serves the real route handlers over a real HTTP server. `routes` maps a path such as `/api/jobs/:id` to the module of
 * that route.
 */
export async function startApiServer(routes: Routes) {
  const patterns = Object.entries(routes).map(([path, module]) => ({
    module,
    names: [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`),
  }));
  /** While `away` is true, each connection is cut, as if the network were down. */
  const state = { away: false };
  const server = createServer(async (incoming, outgoing) => {
    if (state.away) return void incoming.socket.destroy();
    const { pathname } = new URL(incoming.url ?? '/', 'http://x');
    const found = patterns.find(({ pattern }) => pattern.test(pathname));
    const handler = found?.module[incoming.method ?? ''] as RouteHandler | undefined;
    if (!found || !handler) return void outgoing.writeHead(404).end('nothing here');
    const values = found.pattern.exec(pathname)!.slice(1);
    const params = Object.fromEntries(found.names.map((name, i) => [name, values[i]]));
    const answer = await handler(await requestOf(incoming), { params: Promise.resolve(params) });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    stop() {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'GET' ? null : Buffer.concat(chunks);
  const request = new Request(`http://${headers.host}${url}`, { method, body });
  // Headers that browsers forbid scripts to set, such as Host and Origin, are needed here.
  Object.defineProperty(request, 'headers', { value: new Headers(headers as Record<string, string>) });
  return request;
}
