import { S3mini } from 's3mini';
import { config } from '@/lib/runtime/config';
import { toStoreError } from './store-failure';
import { createTimedFetch } from './timed-fetch';

export interface StoredObject {
  /** Without the configured prefix. */
  name: string;
  bytes: number;
  /** Epoch ms. */
  modifiedAt: number;
}

/**
 * The only access to the object store: whole objects by name, below the configured prefix. Nothing is retried here,
 * because only the caller knows how long it may take. Errors: `snapshot_store_away`, `snapshot_store_refused`.
 */
export interface ObjectStore {
  /** `checksum`: the SHA-256 of `body`. Resolves with the ETag that the store assigned; null: it gave none. */
  put(name: string, body: Uint8Array, checksum: Buffer, signal?: AbortSignal): Promise<string | null>;
  /** Resolves with null if there is no such object. Reading its body fails when no data arrives for a while. */
  get(name: string, signal?: AbortSignal): Promise<Response | null>;
  list(under: string, signal?: AbortSignal): Promise<StoredObject[]>;
  /** Succeeds if the object does not exist. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
}

/** The store that was opened last, and the settings that it was opened with. */
let opened: { identity: string; store: ObjectStore } | null = null;

/** Returns null if snapshots are kept only on the disk. */
export function getObjectStore(): ObjectStore | null {
  const settings = config.snapshotStore;
  if (settings === null) return null;
  const identity = [settings.address, settings.prefix, settings.region, settings.accessKey.reveal()].join(' ');
  if (opened?.identity !== identity) opened = { identity, store: open(settings) };
  return opened.store;
}

function open(settings: NonNullable<typeof config.snapshotStore>): ObjectStore {
  const { address, prefix, region, accessKey, secretKey } = settings;
  // One client per request, because the client takes the abort signal from its fetch function. A client keeps no state
  // that is worth reusing.
  const createClient = (fetch: typeof globalThis.fetch) =>
    new S3mini({
      accessKeyId: accessKey.reveal(),
      secretAccessKey: secretKey.reveal(),
      endpoint: address,
      region,
      fetch,
    });
  const askClient = async <T>(signal: AbortSignal | undefined, ask: (client: S3mini) => Promise<T>): Promise<T> => {
    try {
      return await ask(createClient(refuseRepeatedPages(createTimedFetch(signal))));
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error);
    }
  };
  return {
    put: (name, body, checksum, signal) =>
      askClient(signal, async (s3) => {
        const headers = { 'x-amz-checksum-sha256': checksum.toString('base64') };
        const answer = await s3.putObject(prefix + name, body, undefined, undefined, headers, body.byteLength);
        await answer.body?.cancel();
        return answer.headers.get('etag')?.replaceAll('"', '') ?? null;
      }),
    get: (name, signal) =>
      askClient(signal, async (s3) => {
        try {
          return await s3.getObjectRaw(prefix + name);
        } catch (error) {
          if ((error as { status?: number }).status === 404 && !isBucketMissing(error)) return null;
          throw error;
        }
      }),
    list: (under, signal) =>
      askClient(signal, async (s3) => {
        const found = await s3.listObjects('/', prefix + under);
        if (found === null)
          throw Object.assign(new Error('NoSuchBucket'), { status: 404, serviceCode: 'NoSuchBucket' });
        return found
          .filter(({ Key }) => Key.startsWith(prefix))
          .map(({ Key, Size, LastModified }) => ({
            name: Key.slice(prefix.length),
            bytes: Number(Size),
            // An object without a valid time counts as new, because it may belong to a running upload.
            modifiedAt: new Date(LastModified).getTime() || Date.now(),
          }));
      }),
    remove: (name, signal) => askClient(signal, async (s3) => void (await s3.deleteObject(prefix + name))),
  };
}

/** Fails if a store returns the same page of a list again, because the listing would never end and fill the memory. */
function refuseRepeatedPages(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const requested = new Set<string>();
  return async (input, init) => {
    const page = new URL(input instanceof Request ? input.url : input).searchParams.get('continuation-token');
    if (page !== null && requested.has(page)) throw Object.assign(new Error('it lists in circles'), { code: 'ELOOP' });
    if (page !== null) requested.add(page);
    return fetch(input, init);
  };
}

const isBucketMissing = (error: unknown) =>
  /NoSuchBucket/.test(`${(error as { serviceCode?: string }).serviceCode} ${(error as { body?: string }).body}`);
