import type { z } from 'zod';
import { formatMappedAddress, parseAddressMap } from '@/lib/model/servers/address-map-text';
import type { Instance, TypedInstance } from '@/lib/model/servers/instance';

/**
 * The form as typed: fields that people type are strings. `FormShape` (form-shape.ts) turns it into a TypedInstance.
 */
export interface FormValues {
  /** A URL or address that is not yet moved into the other fields. */
  url: string;
  name: string;
  topology: Instance['topology'];
  endpoints: { host: string; port: string }[];
  /** Announced addresses that are confirmed when the form is saved. */
  destinations: string;
  addressMap: string;
  onlyEndpoints: boolean;
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
  url: '',
  name: '',
  topology: 'standalone',
  endpoints: [{ host: '', port: '6379' }],
  destinations: '',
  addressMap: '',
  onlyEndpoints: false,
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
    endpoints: instance.endpoints.map(({ host, port }) => ({ host, port: String(port) })),
    addressMap: instance.addressMap.map(formatMappedAddress).join('\n'),
    onlyEndpoints: instance.onlyEndpoints,
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

const emptyToNull = (text: string) => text.trim() || null;
const splitParts = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
/** NaN: not a whole number, which the schema refuses. */
const toWholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/** The values as the server takes them. Texts of fields that the chosen topology or options hide become null. */
export function toInput({ url: _, forget, secrets, ...values }: FormValues): z.input<typeof TypedInstance> {
  // Empty means "keep what is stored"; deleting a secret is a separate choice.
  const getSecret = (name: SecretName) => secrets[name] || (forget[name] ? null : undefined);
  const isSentinel = values.topology === 'sentinel';
  const endpoints = values.topology === 'standalone' ? values.endpoints.slice(0, 1) : values.endpoints;
  return {
    ...values,
    endpoints: endpoints.map(({ host, port }) => ({
      host: host.trim().replace(/^\[|\]$/g, ''),
      port: toWholeNumber(port.trim()),
    })),
    destinations: splitParts(values.destinations, /[,\s，、]+/),
    addressMap: parseAddressMap(values.addressMap),
    onlyEndpoints: values.topology === 'cluster' && values.onlyEndpoints,
    sentinelName: isSentinel ? emptyToNull(values.sentinelName) : null,
    username: emptyToNull(values.username),
    sentinelUsername: isSentinel ? emptyToNull(values.sentinelUsername) : null,
    writeUsername: values.separateWriteUser ? emptyToNull(values.writeUsername) : null,
    tls: {
      ...values.tls,
      ca: emptyToNull(values.tls.ca),
      cert: emptyToNull(values.tls.cert),
      servername: emptyToNull(values.tls.servername),
    },
    databases: values.databases.trim() === '' ? null : splitParts(values.databases, /[,\s，、]+/).map(toWholeNumber),
    tags: splitParts(values.tags, /[,，、\n]+/),
    secrets: {
      password: getSecret('password'),
      sentinelPassword: getSecret('sentinelPassword'),
      writePassword: values.separateWriteUser ? getSecret('writePassword') : undefined,
      tlsKey: getSecret('tlsKey'),
    },
  };
}
