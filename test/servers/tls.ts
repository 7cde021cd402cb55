import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/**
 * Certificates of a temporary CA: for a server on localhost and for a client, as texts and as the files that
 * redis-server needs.
 */
export interface Certificates {
  ca: string;
  caKey: string;
  cert: string;
  key: string;
  clientCert: string;
  clientKey: string;
}

interface CertificateOptions {
  /** Names and addresses of the server certificate. */
  names?: string[];
  addresses?: string[];
  notAfter?: Date;
  notBefore?: Date;
  /** Signed by the CA of these certificates. */
  like?: Certificates;
}

export async function makeCertificates(options: CertificateOptions = {}): Promise<Certificates> {
  const ec = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
  const signer = options.like
    ? { key: options.like.caKey, cert: options.like.ca }
    : await generate([{ name: 'commonName', value: 'Colonnade test CA' }], {
        ...ec,
        extensions: [
          { name: 'basicConstraints', cA: true, critical: true },
          { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
        ],
      }).then((made) => ({ key: made.private, cert: made.cert }));
  const server = await generate([{ name: 'commonName', value: 'redis test server' }], {
    ...ec,
    ca: signer,
    notBeforeDate: options.notBefore ?? new Date(Date.now() - 3_600_000),
    notAfterDate: options.notAfter ?? new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...(options.names ?? ['localhost']).map((value) => ({ type: 2 as const, value })),
          ...(options.addresses ?? ['127.0.0.1', '::1']).map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  const client = await generate([{ name: 'commonName', value: 'colonnade test client' }], {
    ...ec,
    ca: signer,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', clientAuth: true },
    ],
  });
  return {
    ca: signer.cert,
    caKey: signer.key,
    cert: server.cert,
    key: server.private,
    clientCert: client.cert,
    clientKey: client.private,
  };
}

/** Returns lines of redis.conf that make the server accept TLS on `port` and no plain connections. */
export function tlsConfig(folder: string, certificates: Certificates, clientAuth: 'no' | 'optional' | 'yes'): string[] {
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return [
    `tls-cert-file ${file('server.crt', certificates.cert)}`,
    `tls-key-file ${file('server.key', certificates.key)}`,
    `tls-ca-cert-file ${file('ca.crt', certificates.ca)}`,
    `tls-auth-clients ${clientAuth}`,
    'tls-replication yes',
  ];
}
