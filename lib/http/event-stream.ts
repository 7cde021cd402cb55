import { log } from '@/lib/log';
import { onServerClose } from './open-streams';

/**
 * Server-sent events from something that is asked again and again: `next` gives what is new since it was last called.
 * Ends when the reader leaves or the server does. A comment now and then keeps proxies from closing the line.
 */
export interface StreamOptions {
  event: string;
  /** What to send now; `done` ends the stream after it. */
  next: () => Promise<{ items: unknown[]; done?: boolean }>;
  signal: AbortSignal;
  everyMs?: number;
  heartbeatMs?: number;
}

export function eventStream({ event, next, signal, everyMs = 500, heartbeatMs = 15_000 }: StreamOptions): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let timer: NodeJS.Timeout | undefined;
      let ended = false;
      let forget: () => unknown = () => {};
      let spokeAt = 0;
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
          // The reader has gone already.
        }
      };
      forget = onServerClose(() => end());
      if (ended) return;
      if (signal.aborted) return end();
      signal.addEventListener('abort', end);
      const turn = async () => {
        // A reader that does not read must not fill our memory: nothing new until it has taken what waits.
        if ((controller.desiredSize ?? 0) < 0) {
          timer = setTimeout(turn, everyMs);
          return;
        }
        try {
          const { items, done } = await next();
          if (ended) return;
          for (const item of items) send(`event: ${event}\ndata: ${JSON.stringify(item)}\n\n`);
          if (done) return end();
        } catch (error) {
          log().warn({ err: error }, 'an event stream met an error');
          return end();
        }
        if (Date.now() - spokeAt >= heartbeatMs) send(': still here\n\n');
        timer = setTimeout(turn, everyMs);
      };
      send('retry: 2000\n\n');
      void turn();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // no-transform also keeps Next from compressing, which would hold events back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}
