import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getObjectStore } from './object-store';

/** A store whose answers to list requests each test chooses. */
let server: Server;
let asked: number;
let listed: (page: string | null) => string;
beforeEach(async () => {
  asked = 0;
  server = createServer((request, response) => {
    asked++;
    response.setHeader('content-type', 'application/xml');
    // Ends a client that would list forever.
    if (asked > 50) response.statusCode = 500;
    const page = new URL(request.url ?? '', 'http://store').searchParams.get('continuation-token');
    response.end(`<ListBucketResult>${listed(page)}</ListBucketResult>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('COLONNADE_SNAPSHOT_STORE', 's3://bucket/place');
  vi.stubEnv('COLONNADE_S3_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('COLONNADE_S3_ACCESS_KEY', 'access');
  vi.stubEnv('COLONNADE_S3_SECRET_KEY', 'secret-of-the-store');
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

const entry = (name: string, more = '<LastModified>2026-01-01T00:00:00.000Z</LastModified>') =>
  `<Contents><Key>place/${name}</Key><Size>1</Size>${more}</Contents>`;

it.each([
  ['with something on it', entry('a')],
  ['that is empty', ''],
])('a store that names one page for ever %s is not listed for ever', async (_what, contents) => {
  listed = () => `${contents}<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>`;
  await expect(getObjectStore()!.list('')).rejects.toMatchObject({ code: 'snapshot_store_away' });
  expect(asked).toBeLessThan(10);
});

it('a list of several pages is read to its end', async () => {
  const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>2</NextContinuationToken>';
  listed = (page) => (page === null ? `${entry('a')}${next}` : `${entry('b')}<IsTruncated>false</IsTruncated>`);
  expect((await getObjectStore()!.list('')).map(({ name }) => name)).toEqual(['a', 'b']);
});

it('what does not say how old it is counts as new, so nobody takes it for garbage', async () => {
  listed = () => `${entry('a', '')}<IsTruncated>false</IsTruncated>`;
  const [found] = await getObjectStore()!.list('');
  expect(Date.now() - found!.modifiedAt).toBeLessThan(60_000);
});
