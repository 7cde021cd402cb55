import { log } from '@/lib/runtime/log';
import { assertStreamLimit, onServerClose, STALL_MS } from './open-streams';

interface EventStreamOptions {
  /** The name of the events. */
  event: string;
  /** Returns what is new since its last call. */
  next: () => Promise<{ items: unknown[] }>;
  signal: AbortSignal;
  /** Whether the client may still read. It is checked every second, so that a revoked session gets no more data. */
  alive: () => Promise<boolean>;
  /** How often `next` is called, and after how long without an event a heartbeat is sent. */
  everyMs?: number;
  heartbeatMs?: number;
  stallMs?: number;
}

/** How often `alive` is called, in ms. */
const ALIVE_EVERY_MS = 1000;

/**
 * Answers with server-sent events from a source that is polled. The stream ends when the client leaves, signs out,
 * reads nothing for `stallMs`, or the server ends. A `heartbeat` event shows that the server is alive and keeps proxies
 * from closing the connection. Errors: `busy` (the maximum number of streams is open).
 */
export function createEventStream(options: EventStreamOptions): Response {
  const { event, next, signal, alive, everyMs = 500, heartbeatMs = 1_000, stallMs = STALL_MS } = options;
  assertStreamLimit();
  const encoder = new TextEncoder();
  let end: () => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let timer: NodeJS.Timeout | undefined;
      let ended = false;
      let unregister: () => unknown = () => {};
      let sentAt = 0;
      /** Since when the client has not read what was sent; null = it has read everything. */
      let waitsSince: number | null = null;
      let aliveAt = performance.now();
      const send = (text: string) => {
        sentAt = Date.now();
        controller.enqueue(encoder.encode(text));
      };
      end = () => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        unregister();
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
      unregister = onServerClose(() => end());
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
          if (performance.now() - aliveAt >= ALIVE_EVERY_MS) {
            aliveAt = performance.now();
            if (!(await alive())) return end();
          }
          const { items } = await next();
          if (ended) return;
          if (items.length > 0)
            send(items.map((item) => `event: ${event}\ndata: ${JSON.stringify(item)}\n\n`).join(''));
        } catch (error) {
          log().warn({ err: error }, 'http.event_stream_failed');
          return end();
        }
        if (Date.now() - sentAt >= heartbeatMs) send('event: heartbeat\ndata: {}\n\n');
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
