import type { ConnectionTarget, InstanceInput } from '../../lib/model/servers/instance';
import { InstanceInput as Input } from '../../lib/model/servers/instance';
import type { RedisServer } from './redis';

/** A connection target for servers of this harness: their addresses, the default user, their CA. */
export function targetOf(
  servers:
    | Pick<RedisServer, 'host' | 'port' | 'password' | 'certificates'>[]
    | Pick<RedisServer, 'host' | 'port' | 'password' | 'certificates'>,
  overrides: Partial<ConnectionTarget> = {},
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
    password: first?.password ?? null,
    sentinelPassword: null,
    tlsKey: first?.certificates?.clientKey ?? null,
    ...overrides,
  };
}
