import { afterEach, expect, it, vi } from 'vitest';
import { createEventStream } from './event-stream';
import { handle } from './handle';
import { closeStreams, countOpenStreams, MAX_STREAMS } from './open-streams';

const DESCRIBED = { summary: 'A route of the test.', answer: 'What it is asked for.' };

const registry = globalThis as unknown as Record<symbol, { closing: boolean }>;
afterEach(() => {
  // Resets the shared state, so that a closed server does not close the streams of the next test.
  const shared = registry[Symbol.for('colonnade.open-streams')];
  if (shared) shared.closing = false;
});

const EVERY = { event: 'job', everyMs: 5, heartbeatMs: 30, alive: async () => true };

it('sends events until its reader leaves', async () => {
  const turns = [{ items: [{ n: 1 }] }, { items: [] }, { items: [{ n: 2 }, { n: 3 }] }];
  const reader = new AbortController();
  const response = createEventStream({
    ...EVERY,
    signal: reader.signal,
    next: async () => {
      const turn = turns.shift();
      if (!turn) reader.abort();
      return turn ?? { items: [] };
    },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await response.text();
  expect(text.match(/event: job\ndata: (.*)\n\n/g)).toEqual([1, 2, 3].map((n) => `event: job\ndata: {"n":${n}}\n\n`));
  expect(countOpenStreams()).toBe(0);
});

it('says that it is still there while nothing happens', async () => {
  const abort = new AbortController();
  const response = createEventStream({ ...EVERY, signal: abort.signal, next: async () => ({ items: [] }) });
  setTimeout(() => abort.abort(), 150);
  expect((await response.text()).match(/^event: heartbeat\ndata: {}$/gm)?.length).toBeGreaterThanOrEqual(2);
});

it('ends when the reader leaves, and asks no more', async () => {
  let asked = 0;
  const next = async () => ({ items: [asked++] });
  const response = createEventStream({ ...EVERY, signal: new AbortController().signal, next });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  const before = asked;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toBeLessThanOrEqual(before + 1);
  expect(countOpenStreams()).toBe(0);
});

it('ends when the server leaves, and opens none after that', async () => {
  const signal = new AbortController().signal;
  const response = createEventStream({ ...EVERY, signal, next: async () => ({ items: [] }) });
  const text = response.text();
  closeStreams();
  await text;
  await createEventStream({ ...EVERY, signal, next: async () => ({ items: [] }) }).text();
  expect(countOpenStreams()).toBe(0);
});

it('lets a reader go that takes nothing', async () => {
  const signal = new AbortController().signal;
  const response = createEventStream({ ...EVERY, stallMs: 20, signal, next: async () => ({ items: [1] }) });
  await vi.waitFor(() => expect(countOpenStreams()).toBe(0));
  await expect(response.text()).rejects.toThrow('has read nothing');
});

it('opens so many and no more, until one of them has left', async () => {
  const open = () =>
    createEventStream({
      ...EVERY,
      everyMs: 5000,
      signal: new AbortController().signal,
      next: async () => ({ items: [] }),
    });
  const all = Array.from({ length: MAX_STREAMS }, open);
  expect(open).toThrow(expect.objectContaining({ code: 'busy', details: { retryAfterSeconds: expect.any(Number) } }));
  await all.pop()!.body!.cancel();
  all.push(open());
  for (const response of all) await response.body!.cancel();
  expect(countOpenStreams()).toBe(0);
});

it('leaves nothing open behind HEAD', async () => {
  const get = handle('GET /api/jobs/events', {
    ...DESCRIBED,
    act: ({ request }) => createEventStream({ ...EVERY, signal: request.signal, next: async () => ({ items: [] }) }),
  });
  const request = new Request('http://127.0.0.1:3000/api/jobs/events', { method: 'HEAD' });
  Object.defineProperty(request, 'headers', { value: new Headers({ host: '127.0.0.1:3000' }) });
  const response = await get.answer(request);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(countOpenStreams()).toBe(0);
});

it('does not pile up for a reader that does not read', async () => {
  let asked = 0;
  const abort = new AbortController();
  const response = createEventStream({
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

it('ends when the session of its reader does', async () => {
  let signedIn = true;
  const options = { ...EVERY, signal: new AbortController().signal, next: async () => ({ items: [] }) };
  const text = createEventStream({ ...options, alive: async () => signedIn }).text();
  setTimeout(() => {
    signedIn = false;
  }, 100);
  await text;
  expect(countOpenStreams()).toBe(0);
  await createEventStream({ ...options, alive: () => Promise.reject(new Error('the store is gone')) }).text();
  expect(countOpenStreams()).toBe(0);
});
