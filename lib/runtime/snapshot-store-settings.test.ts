import { afterEach, expect, it } from 'vitest';
import { config } from '@/lib/runtime/config';

const KEYS = { COLONNADE_S3_ACCESS_KEY: 'AKIA', COLONNADE_S3_SECRET_KEY: 'hidden' };
function given(env: Record<string, string>) {
  Object.assign(process.env, env);
  return config.snapshotStore;
}
afterEach(() => {
  for (const name of Object.keys(process.env)) if (/^COLONNADE_(S3_|SNAPSHOT)/.test(name)) delete process.env[name];
});

it('is none unless asked for', () => {
  expect(config.snapshotStore).toBeNull();
});

it('takes bucket, prefix and address, and prints no key', () => {
  const aws = given({ COLONNADE_SNAPSHOT_STORE: 's3://ours/a/b/', ...KEYS });
  expect(aws).toMatchObject({ address: 'https://ours.s3.us-east-1.amazonaws.com', prefix: 'a/b/', bucket: 'ours' });
  expect(JSON.stringify(aws)).not.toMatch(/AKIA|hidden/);
  expect(given({ COLONNADE_S3_ENDPOINT: 'http://10.0.0.1:9000' })?.address).toBe('http://10.0.0.1:9000/ours');
  expect(given({ COLONNADE_S3_PATH_STYLE: '0' })?.address).toBe('http://ours.10.0.0.1:9000');
});

it.each([
  [{ COLONNADE_SNAPSHOT_STORE: 's3://UPPER', ...KEYS }, /s3:\/\/bucket\/prefix/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://key:secret@ours', ...KEYS }, /do not belong there/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours/../theirs', ...KEYS }, /\. or \.\./],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours' }, /access key and a secret key/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours', COLONNADE_S3_ACCESS_KEY: 'AKIA' }, /^COLONNADE_S3_SECRET_KEY: is missing/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours', COLONNADE_S3_ENDPOINT: 'http://u:p@h', ...KEYS }, /without user and path/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours', COLONNADE_S3_REGION: 'a b', ...KEYS }, /name of a region/],
  [{ COLONNADE_SNAPSHOT_STORE: 's3://ours', COLONNADE_S3_PATH_STYLE: 'yes', ...KEYS }, /neither 1/],
  [KEYS, /COLONNADE_SNAPSHOT_STORE is not/],
])('%j is refused with what to do', (env, message) => {
  expect(() => given(env as Record<string, string>)).toThrow(message);
});
