import { log } from '@/lib/runtime/log';
import { assertStreamLimit, onServerClose, STALL_MS } from './open-streams';

/**
 * Server-sent events from a source that is polled: `next` returns what is new since its last call. The stream ends when
 * the client leaves, signs out, reads nothing for `stallMs`, or the server ends. A `heartbeat` event shows that the
 * server is alive and keeps proxies from closing the connection. Errors: `busy` (the maximum number of streams is
 * open).
 */
export interface EventStreamOptions {
  event: string;
  /** What to send now; `done` ends the stream after it. */
  next: () => Promise<{ items: unknown[]; done?: boolean }>;
  signal: AbortSignal;
  /** Whether the client may still read. It is checked every second, so that a revoked session gets no more data. */
  alive: () => Promise<boolean>;
  everyMs?: number;
  heartbeatMs?: number;
  stallMs?: number;
}

const ALIVE_MS = 1000;

export function createEventStream(options: EventStreamOptions): Response {
  const { event, next, signal, alive, everyMs = 500, heartbeatMs = 1_000, stallMs = STALL_MS } = options;
  assertStreamLimit();
  const encoder = new TextEncoder();
  let end: () => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let timer: NodeJS.Timeout | undefined;
      let ended = false;
      let forget: () => unknown = () => {};
      let spokeAt = 0;
      let waitsSince: number | null = null;
      let aliveAt = performance.now();
      const send = (text: string) => {
        spokeAt = Date.now();
        controller.enqueue(encoder.encode(text));
      };
      end = () => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        forget();
        signal.removeEventListener('abort', end);
        try {
          controller.close();
        } catch {
          // The client has already left.
        }
      };
      // Unlike a normal end, an error also drops data that has not been read yet.
      const endStalled = () => {
        controller.error(new Error('The client has read nothing for too long.'));
        end();
      };
      forget = onServerClose(() => end());
      if (ended) return;
      if (signal.aborted) return end();
      signal.addEventListener('abort', end);
      const sendNext = async () => {
        // A client that does not read must not fill the memory of this process: nothing is added until it has read what
        // is queued.
        if ((controller.desiredSize ?? 0) < 0) {
          waitsSince ??= performance.now();
          if (performance.now() - waitsSince >= stallMs) return endStalled();
          timer = setTimeout(sendNext, everyMs);
          return;
        }
        waitsSince = null;
        try {
          if (performance.now() - aliveAt >= ALIVE_MS) {
            aliveAt = performance.now();
            if (!(await alive())) return end();
          }
          const { items, done } = await next();
          if (ended) return;
          if (items.length > 0)
            send(items.map((item) => `event: ${event}\ndata: ${JSON.stringify(item)}\n\n`).join(''));
          if (done) return end();
        } catch (error) {
          log().warn({ err: error }, 'http.event_stream_failed');
          return end();
        }
        if (Date.now() - spokeAt >= heartbeatMs) send('event: heartbeat\ndata: {}\n\n');
        timer = setTimeout(sendNext, everyMs);
      };
      send('retry: 2000\n\n');
      void sendNext();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform also prevents compression by Next, which would delay events.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}
