import { Secret } from '@/lib/model/secret';
import type { ConnectionTarget, InstanceInput } from '../../lib/model/servers/instance';
import { InstanceInput as Input } from '../../lib/model/servers/instance';
import type { RedisServer } from './redis';

type Secrets = 'password' | 'sentinelPassword' | 'writePassword' | 'tlsKey';
type TargetOverrides = Omit<Partial<ConnectionTarget>, Secrets> & {
  [name in Secrets]?: Secret | string | null | undefined;
};

const toSecret = (given: Secret | string | null | undefined) =>
  given instanceof Secret ? given : given ? new Secret(given) : null;

/** Returns a connection target for test servers: their addresses, the default user, their CA. */
export function toTarget(
  servers:
    | Pick<RedisServer, 'host' | 'port' | 'password' | 'certificates'>[]
    | Pick<RedisServer, 'host' | 'port' | 'password' | 'certificates'>,
  { password, sentinelPassword, writePassword, tlsKey, ...overrides }: TargetOverrides = {},
): ConnectionTarget {
  const list = Array.isArray(servers) ? servers : [servers];
  const first = list[0];
  const input: Partial<InstanceInput> = {
    name: 'test',
    topology: 'standalone',
    endpoints: list.map(({ host, port }) => ({ host, port })),
    tls: first?.certificates
      ? {
          enabled: true,
          ca: first.certificates.ca,
          cert: first.certificates.clientCert,
          skipVerify: false,
        }
      : { enabled: false, skipVerify: false },
  };
  const { secrets: _, ...settings } = Input.parse(input);
  return {
    ...settings,
    id: 'test',
    ...overrides,
    password: toSecret(password === undefined ? first?.password : password),
    sentinelPassword: toSecret(sentinelPassword),
    writePassword: toSecret(writePassword),
    tlsKey: toSecret(tlsKey === undefined ? first?.certificates?.clientKey : tlsKey),
  };
}
