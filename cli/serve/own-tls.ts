import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createSecureContext } from 'node:tls';
import { config } from '@/lib/runtime/config';

const MIN_VERSION = 'TLSv1.2';

/** The content of the files, PEM. */
interface OwnTls {
  cert: string;
  key: string;
}

/**
 * The certificate and key with which the server speaks TLS itself, without a proxy; null: none is configured. Throws
 * an error that says what to correct.
 */
export function readOwnTls(): OwnTls | null {
  const files = config.tlsFiles;
  if (files === null) return null;
  const pem = { cert: read(files.cert), key: read(files.key) };
  try {
    createSecureContext(pem);
  } catch (error) {
    // The message names the files and shows nothing of their content.
    throw new Error(
      `${files.cert} and ${files.key} are no certificate and key that belong together: ${getMessage(error)}`,
    );
  }
  return pem;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${getMessage(error)}`);
  }
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Makes the next HTTP server that this process creates speak TLS, because Next creates its own server and has no
 * setting for that. SIGHUP reads the files again, for example after a renewal.
 */
export function serveOverTls(pem: OwnTls, report: (text: string) => void): void {
  const createHttpServer = http.createServer;
  http.createServer = ((...args: unknown[]) => {
    http.createServer = createHttpServer;
    const server = https.createServer({ ...pem, minVersion: MIN_VERSION }, args.at(-1) as http.RequestListener);
    process.on('SIGHUP', () => {
      try {
        server.setSecureContext({ ...readOwnTls(), minVersion: MIN_VERSION });
        report('The certificate was read again.');
      } catch (error) {
        report(`The certificate in use stays: ${getMessage(error)}`);
      }
    });
    return server;
  }) as typeof createHttpServer;
}
