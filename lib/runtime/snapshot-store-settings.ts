import { readFileSync } from 'node:fs';
import { Secret } from '@/lib/model/secret';
import { ConfigError, readSettingText } from './environment';

/** An S3-compatible store and the part of it that Colonnade uses. */
export interface SnapshotStoreSettings {
  /** URL including the bucket, in its path or its host name. */
  address: string;
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  region: string;
  accessKey: Secret;
  secretKey: Secret;
}

const PLACE = 'COLONNADE_SNAPSHOT_STORE';
const ENDPOINT = 'COLONNADE_S3_ENDPOINT';
const CREDENTIALS = 'COLONNADE_S3_CREDENTIALS';

/** Returns the object store; null = snapshots are stored on the disk alone. Throws ConfigError. */
export function readSnapshotStoreSettings(): SnapshotStoreSettings | null {
  const place = readSettingText(PLACE);
  if (place === null) {
    const orphan = [ENDPOINT, CREDENTIALS, 'COLONNADE_S3_ACCESS_KEY'].find((name) => readSettingText(name) !== null);
    if (orphan)
      throw new ConfigError(orphan, `is set, and ${PLACE} is not: s3://bucket/prefix says where snapshots go.`);
    return null;
  }
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._=-]+)*)\/?$/.exec(place);
  if (!found?.[1])
    throw new ConfigError(
      PLACE,
      `"${place}" is not s3://bucket/prefix. User and password do not belong there: see ${CREDENTIALS}.`,
    );
  const [, bucket, path = ''] = found;
  if (/(^|\/)\.{1,2}(\/|$)/.test(path)) throw new ConfigError(PLACE, `"${place}" has a part that is . or ..`);
  const region = readSettingText('COLONNADE_S3_REGION') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    throw new ConfigError('COLONNADE_S3_REGION', `"${region}" is not the name of a region.`);
  const prefix = path === '' ? '' : `${path.slice(1)}/`;
  return { bucket, prefix, region, address: buildBucketAddress(bucket, region), ...readCredentials() };
}

function buildBucketAddress(bucket: string, region: string): string {
  const endpoint = readSettingText(ENDPOINT) ?? `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (!isOrigin || url.username || url.password)
    throw new ConfigError(ENDPOINT, `is not an address such as https://minio.example.com:9000, without user and path.`);
  const style = readSettingText('COLONNADE_S3_PATH_STYLE') ?? (readSettingText(ENDPOINT) === null ? '0' : '1');
  if (style !== '0' && style !== '1')
    throw new ConfigError(
      'COLONNADE_S3_PATH_STYLE',
      `"${style}" is neither 1 (endpoint/bucket) nor 0 (bucket.endpoint).`,
    );
  return style === '1' ? `${url.origin}/${bucket}` : `${url.protocol}//${bucket}.${url.host}`;
}

/**
 * Reads the credentials from two variables, or from a file in the format of the AWS tools, which can be mounted as a
 * secret.
 */
function readCredentials(): Pick<SnapshotStoreSettings, 'accessKey' | 'secretKey'> {
  const file = readSettingText(CREDENTIALS);
  const [access, secret] = [readSettingText('COLONNADE_S3_ACCESS_KEY'), readSettingText('COLONNADE_S3_SECRET_KEY')];
  if (file !== null && (access !== null || secret !== null))
    throw new ConfigError(CREDENTIALS, 'is set beside COLONNADE_S3_ACCESS_KEY or _SECRET_KEY. Set one of both.');
  const given = file === null ? { access, secret } : parseCredentialsFile(file);
  if (!given.access || !given.secret)
    throw new ConfigError(
      file === null ? 'COLONNADE_S3_ACCESS_KEY' : CREDENTIALS,
      'the object store needs an access key and a secret key: COLONNADE_S3_ACCESS_KEY and COLONNADE_S3_SECRET_KEY, or a file named by COLONNADE_S3_CREDENTIALS with the lines aws_access_key_id=… and aws_secret_access_key=….',
    );
  return { accessKey: new Secret(given.access), secretKey: new Secret(given.secret) };
}

function parseCredentialsFile(file: string): { access: string | null; secret: string | null } {
  let lines: string;
  try {
    lines = readFileSync(/* turbopackIgnore: true */ file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ConfigError(CREDENTIALS, `the file "${file}" cannot be read (${code}).`);
  }
  const readEntry = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(lines)?.[1] ?? null;
  return { access: readEntry('aws_access_key_id'), secret: readEntry('aws_secret_access_key') };
}
