import { expect, it } from 'vitest';
import { createDownload } from './download';

it('breaks off when whoever began it loses the right to it, and nothing goes on behind it', async () => {
  let signedIn = true;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.enqueue(Buffer.from('line\n'));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const stillAllowed = async () => true;
  const file = { stream, filename: 'a/b.jsonl', contentType: 'application/x-ndjson', stillAllowed };
  const response = createDownload(file, async () => signedIn);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="a-b.jsonl"');
  const reader = response.body!.getReader();
  for (let i = 0; i < 3; i++) expect((await reader.read()).done).toBe(false);
  signedIn = false;
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toMatchObject({ code: 'sign_in_needed' });
  expect(cancelled).toBe(true);
});

it('breaks off too when what allowed it does no more', async () => {
  let allowed = true;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      controller.enqueue(Buffer.from('line\n'));
    },
  });
  const file = { stream, filename: 'a.jsonl', contentType: 'application/x-ndjson', stillAllowed: async () => allowed };
  const reader = createDownload(file, async () => true).body!.getReader();
  expect((await reader.read()).done).toBe(false);
  allowed = false;
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toMatchObject({ code: 'sign_in_needed' });
});
