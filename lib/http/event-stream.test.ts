import { afterEach, expect, it } from 'vitest';
import { eventStream } from './event-stream';
import { closeStreams, openStreamCount } from './open-streams';

const registry = globalThis as unknown as Record<symbol, { closing: boolean }>;
afterEach(() => {
  // A test server that "left" must not close the streams of the next one.
  const shared = registry[Symbol.for('colonnade.open-streams')];
  if (shared) shared.closing = false;
});

const EVERY = { event: 'job', everyMs: 5, heartbeatMs: 30 };

it('sends events, then ends by itself', async () => {
  const turns = [{ items: [{ n: 1 }] }, { items: [] }, { items: [{ n: 2 }, { n: 3 }], done: true }];
  const response = eventStream({ ...EVERY, signal: new AbortController().signal, next: async () => turns.shift()! });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await response.text();
  expect(text.match(/event: job\ndata: (.*)\n\n/g)).toEqual([1, 2, 3].map((n) => `event: job\ndata: {"n":${n}}\n\n`));
  expect(openStreamCount()).toBe(0);
});

it('keeps the line warm with comments', async () => {
  const abort = new AbortController();
  const response = eventStream({ ...EVERY, signal: abort.signal, next: async () => ({ items: [] }) });
  setTimeout(() => abort.abort(), 150);
  expect((await response.text()).match(/^: /gm)?.length).toBeGreaterThanOrEqual(2);
});

it('ends when the reader leaves, and asks no more', async () => {
  let asked = 0;
  const next = async () => ({ items: [asked++] });
  const response = eventStream({ ...EVERY, signal: new AbortController().signal, next });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBeLessThanOrEqual(before + 1);
  expect(openStreamCount()).toBe(0);
});

it('ends when the server leaves, and opens none after that', async () => {
  const signal = new AbortController().signal;
  const response = eventStream({ ...EVERY, signal, next: async () => ({ items: [] }) });
  const text = response.text();
  closeStreams();
  await text;
  await eventStream({ ...EVERY, signal, next: async () => ({ items: [] }) }).text();
  expect(openStreamCount()).toBe(0);
});

it('does not pile up for a reader that does not read', async () => {
  let asked = 0;
  const abort = new AbortController();
  const response = eventStream({
    ...EVERY,
    everyMs: 1,
    signal: abort.signal,
    next: async () => ({ items: [asked++] }),
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(asked).toBeLessThan(5);
  abort.abort();
  await response.body?.cancel();
});
