import type { z } from 'zod';
import type { Instance, TypedInstance } from '@/lib/model/servers/instance';

/**
 * The form as typed: fields that people type are strings. `FormShape` (form-shape.ts) turns it into a TypedInstance.
 */
export interface FormValues {
  name: string;
  topology: Instance['topology'];
  endpoints: { host: string; port: string }[];
  /** Announced addresses that are confirmed when the form is saved. */
  destinations: string;
  sentinelName: string;
  username: string;
  sentinelUsername: string;
  separateWriteUser: boolean;
  writeUsername: string;
  tls: { enabled: boolean; ca: string; cert: string; servername: string; skipVerify: boolean };
  databases: string;
  protocol: Instance['protocol'];
  tags: string;
  environment: string;
  owner: string;
  readOnly: boolean;
  production: boolean;
  secondPerson: boolean;
  valuesForbidden: boolean;
  secrets: { password: string; sentinelPassword: string; writePassword: string; tlsKey: string };
  /** Stored secrets that are to be deleted. */
  forget: { password: boolean; sentinelPassword: boolean; writePassword: boolean; tlsKey: boolean };
}
export type SecretName = keyof FormValues['secrets'];

export const EMPTY_FORM: FormValues = {
  name: '',
  topology: 'standalone',
  endpoints: [{ host: '', port: '6379' }],
  destinations: '',
  sentinelName: '',
  username: '',
  sentinelUsername: '',
  separateWriteUser: false,
  writeUsername: '',
  tls: { enabled: false, ca: '', cert: '', servername: '', skipVerify: false },
  databases: '',
  protocol: 'auto',
  tags: '',
  environment: '',
  owner: '',
  readOnly: true,
  production: false,
  secondPerson: false,
  valuesForbidden: false,
  secrets: { password: '', sentinelPassword: '', writePassword: '', tlsKey: '' },
  forget: { password: false, sentinelPassword: false, writePassword: false, tlsKey: false },
};

export function toFormValues(instance: Instance): FormValues {
  return {
    ...EMPTY_FORM,
    name: instance.name,
    topology: instance.topology,
    endpoints: instance.endpoints.map((e) => ({ host: e.host, port: String(e.port) })),
    sentinelName: instance.sentinelName ?? '',
    username: instance.username ?? '',
    sentinelUsername: instance.sentinelUsername ?? '',
    separateWriteUser: instance.separateWriteUser,
    writeUsername: instance.writeUsername ?? '',
    tls: {
      enabled: instance.tls.enabled,
      ca: instance.tls.ca ?? '',
      cert: instance.tls.cert ?? '',
      servername: instance.tls.servername ?? '',
      skipVerify: instance.tls.skipVerify,
    },
    databases: instance.databases?.join(', ') ?? '',
    protocol: instance.protocol,
    tags: instance.tags.join(', '),
    environment: instance.environment,
    owner: instance.owner,
    readOnly: instance.readOnly,
    production: instance.production,
    secondPerson: instance.secondPerson,
    valuesForbidden: instance.valuesForbidden,
  };
}

const emptyToNull = (text: string) => (text.trim() === '' ? null : text.trim());
const splitParts = (text: string) =>
  text
    .split(/[,\s，、]+/)
    .map((p) => p.trim())
    .filter(Boolean);

export function toInput(v: FormValues): z.input<typeof TypedInstance> {
  // Empty means "keep what is stored"; deleting a secret is a separate choice.
  const getSecret = (name: SecretName) =>
    v.secrets[name] !== '' ? v.secrets[name] : v.forget[name] ? null : undefined;
  const sentinel = v.topology === 'sentinel';
  return {
    name: v.name,
    topology: v.topology,
    endpoints: (v.topology === 'standalone' ? v.endpoints.slice(0, 1) : v.endpoints).map((e) => ({
      host: e.host.trim().replace(/^\[|\]$/g, ''),
      port: /^\d+$/.test(e.port.trim()) ? Number(e.port) : Number.NaN,
    })),
    destinations: splitParts(v.destinations),
    sentinelName: sentinel ? emptyToNull(v.sentinelName) : null,
    username: emptyToNull(v.username),
    sentinelUsername: sentinel ? emptyToNull(v.sentinelUsername) : null,
    separateWriteUser: v.separateWriteUser,
    writeUsername: v.separateWriteUser ? emptyToNull(v.writeUsername) : null,
    tls: {
      enabled: v.tls.enabled,
      ca: emptyToNull(v.tls.ca),
      cert: emptyToNull(v.tls.cert),
      servername: emptyToNull(v.tls.servername),
      skipVerify: v.tls.skipVerify,
    },
    databases:
      v.databases.trim() === '' ? null : splitParts(v.databases).map((p) => (/^\d+$/.test(p) ? Number(p) : Number.NaN)),
    protocol: v.protocol,
    tags: v.tags
      .split(/[,，、\n]+/)
      .map((p) => p.trim())
      .filter(Boolean),
    environment: v.environment,
    owner: v.owner,
    readOnly: v.readOnly,
    production: v.production,
    secondPerson: v.secondPerson,
    valuesForbidden: v.valuesForbidden,
    secrets: {
      password: getSecret('password'),
      sentinelPassword: getSecret('sentinelPassword'),
      writePassword: v.separateWriteUser ? getSecret('writePassword') : undefined,
      tlsKey: getSecret('tlsKey'),
    },
  };
}
