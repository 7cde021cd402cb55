import { createRequire } from 'node:module';
import { accepts, freePort, removeFolder, startChild, temporaryFolder, until } from './process';

/** A real S3-compatible server in a separate process; its keys are the fixed ones of s3rver. */
export interface ObjectStoreServer {
  port: number;
  bucket: string;
  /** Returns the environment variables that a process needs to use it, through `port` (of the server or of a proxy). */
  env(port?: number): Record<string, string>;
  /** The folder in which it stores the objects. */
  folder: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startObjectStore(bucket = 'colonnade'): Promise<ObjectStoreServer> {
  const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js');
  const folder = temporaryFolder('colonnade-s3-');
  const port = await freePort();
  const begin = async () => {
    const args = [program, '-d', folder, '-a', '127.0.0.1', '-p', String(port), '-s', '--configure-bucket', bucket];
    const child = startChild(process.execPath, args, folder);
    await until('the object store', () => accepts(port));
    return child;
  };
  let child = await begin();
  const stop = async () => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return {
    port,
    bucket,
    folder,
    env: (at = port) => ({
      COLONNADE_SNAPSHOT_STORE: `s3://${bucket}/fleet`,
      COLONNADE_S3_ENDPOINT: `http://127.0.0.1:${at}`,
      COLONNADE_S3_ACCESS_KEY: 'S3RVER',
      COLONNADE_S3_SECRET_KEY: 'S3RVER',
    }),
    stop,
    async start() {
      child = await begin();
    },
    async close() {
      await stop();
      removeFolder(folder);
    },
  };
}
