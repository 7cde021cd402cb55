import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ROUTE_TABLE } from '@/app/api/routes';
import { createEventStream } from '@/lib/http/event-stream';
import { holdStreamPlace } from '@/lib/http/hold-stream-place';
import { countOpenStreams, MAX_STREAMS, MAX_STREAMS_PER_ADDRESS } from '@/lib/http/open-streams';
import { installRequestFilter } from '@/lib/http/request-filter';

/** Clients that open many streams, disconnect without notice, or never read. */
let server: Server;
let port: number;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    if (!decodeURIComponent(request.url ?? '').includes('events')) return response.end('answered');
    const left = new AbortController();
    response.on('close', () => left.abort());
    const { body } = createEventStream({
      event: 'job',
      alive: async () => true,
      heartbeatMs: 500,
      signal: left.signal,
      next: async () => ({ items: [] }),
    });
    response.flushHeaders();
    Readable.fromWeb(body as never).pipe(response);
  });
  installRequestFilter(ROUTE_TABLE);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await vi.waitFor(() => expect(countOpenStreams()).toBe(0), 30_000);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
/** Opens a stream; resolves with the beginning of the response. */
function open(path = '/api/jobs/events', localAddress = '127.0.0.1'): Promise<{ socket: Socket; head: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(GET(path)));
    sockets.push(socket);
    socket.on('error', reject).once('data', (data) => resolve({ socket, head: data.toString() }));
  });
}
const openMany = (count: number, localAddress?: string) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => open(i % 2 ? '/api/jobs/events' : '/api/x/../jobs/events', localAddress)),
  );
const served = (all: { head: string }[]) => all.filter(({ head }) => head.startsWith('HTTP/1.1 200 ')).length;

it('one address holds so many streams, is told when to come again, and leaves places to others', async () => {
  const all = await openMany(MAX_STREAMS_PER_ADDRESS + 20);
  expect(served(all)).toBe(MAX_STREAMS_PER_ADDRESS);
  const refused = all.filter(({ head }) => !head.startsWith('HTTP/1.1 200 '));
  for (const { head } of refused) expect(head).toMatch(/^HTTP\/1\.1 503 .*retry-after: \d+.*"busy"/is);
  expect((await open('/api/fleet')).head).toMatch(/^HTTP\/1\.1 200 /);
  expect(served(await openMany(5, '127.0.0.2'))).toBe(5);

  // Every client that disconnects, in whichever way, frees a slot.
  const [first, second] = all.filter(({ head }) => head.startsWith('HTTP/1.1 200 '));
  first!.socket.destroy();
  second!.socket.resetAndDestroy();
  await vi.waitFor(() => expect(countOpenStreams()).toBe(MAX_STREAMS_PER_ADDRESS + 3), 20_000);
  expect(served(await openMany(3))).toBe(2);
});

it('many addresses together hold so many and no more', async () => {
  const addresses = Array.from({ length: 5 }, (_, i) => `127.0.0.${10 + i}`);
  const all = await Promise.all(addresses.map((address) => openMany(MAX_STREAMS_PER_ADDRESS, address)));
  expect(served(all.flat())).toBe(MAX_STREAMS);
  expect(countOpenStreams()).toBe(MAX_STREAMS);
});

it('streams that wait behind another on one socket take no places', async () => {
  const { socket } = await open();
  socket.write(GET('/api/jobs/events').repeat(MAX_STREAMS_PER_ADDRESS));
  expect(served(await openMany(MAX_STREAMS_PER_ADDRESS - 1))).toBe(MAX_STREAMS_PER_ADDRESS - 1);
  expect(countOpenStreams()).toBe(MAX_STREAMS_PER_ADDRESS);
  // A socket full of unread data does not report its end: that the client has gone is only noticed when data is sent.
  socket.resetAndDestroy();
});

it('a reader that never reads is asked nothing more for, and is cut off', async () => {
  let asked = 0;
  let over = false;
  const stalling = createServer((request, response) => {
    holdStreamPlace(request, response, '127.0.0.1', 300);
    const left = new AbortController();
    response.on('close', () => {
      over = true;
      left.abort();
    });
    const next = async () => ({ items: [`${asked++}`.padEnd(256 * 1024, 'x')] });
    const { body } = createEventStream({
      event: 'job',
      alive: async () => true,
      everyMs: 1,
      stallMs: 60_000,
      signal: left.signal,
      next,
    });
    Readable.fromWeb(body as never).pipe(response);
  });
  await new Promise<void>((done) => stalling.listen(0, '127.0.0.1', done));
  const socket = connect((stalling.address() as AddressInfo).port, '127.0.0.1', () => socket.write(GET('/')));
  socket.pause().on('error', () => {});
  try {
    await vi.waitFor(() => expect(over).toBe(true), 30_000);
    // Some are buffered by the kernel on both sides, and a few wait.
    expect(asked).toBeLessThan(100);
  } finally {
    socket.destroy();
    stalling.closeAllConnections();
    stalling.close();
  }
});
