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
const ACCESS_KEY = 'COLONNADE_S3_ACCESS_KEY';
const SECRET_KEY = 'COLONNADE_S3_SECRET_KEY';

/** Returns the object store; null = snapshots are stored on the disk alone. Throws ConfigError. */
export function readSnapshotStoreSettings(): SnapshotStoreSettings | null {
  const place = readSettingText(PLACE);
  if (place === null) {
    const orphan = [ENDPOINT, ACCESS_KEY, SECRET_KEY].find((name) => readSettingText(name) !== null);
    if (orphan)
      throw new ConfigError(orphan, `is set, and ${PLACE} is not: s3://bucket/prefix says where snapshots go.`);
    return null;
  }
  const found = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._=-]+)*)\/?$/.exec(place);
  if (!found?.[1])
    throw new ConfigError(
      PLACE,
      `"${place}" is not s3://bucket/prefix. User and password do not belong there: see ${ACCESS_KEY}.`,
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

function readCredentials(): Pick<SnapshotStoreSettings, 'accessKey' | 'secretKey'> {
  const [access, secret] = [readSettingText(ACCESS_KEY), readSettingText(SECRET_KEY)];
  if (access === null || secret === null)
    throw new ConfigError(
      access === null ? ACCESS_KEY : SECRET_KEY,
      `is missing: the object store needs an access key and a secret key, ${ACCESS_KEY} and ${SECRET_KEY}.`,
    );
  return { accessKey: new Secret(access), secretKey: new Secret(secret) };
}
