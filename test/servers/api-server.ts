import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROUTE_TABLE } from '@/app/api/routes';
import { answerRequest } from '@/lib/http/answer-request';

/** Serves the real routes over a real HTTP server, without its request filter. */
export async function startApiServer() {
  /** While `away` is true, each connection is cut, as if the network were down. */
  const state = { away: false };
  const server = createServer(async (incoming, outgoing) => {
    if (state.away) return void incoming.socket.destroy();
    const answer = await answerRequest(ROUTE_TABLE, await toRequest(incoming));
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

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'GET' ? null : Buffer.concat(chunks);
  const request = new Request(`http://${headers.host}${url}`, { method, body });
  // Headers that browsers forbid scripts to set, such as Host and Origin, are needed here.
  Object.defineProperty(request, 'headers', { value: new Headers(headers as Record<string, string>) });
  return request;
}
