import { z } from 'zod';
import { WORKER_LABEL } from '@/lib/model/presence';
import { Secret } from '@/lib/model/secret';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';
import { AddressMap } from './address-map';
import { DestinationEntries } from './destination';
import { Endpoint } from './endpoint';

export const Topology = z.enum(['standalone', 'cluster', 'sentinel']);
export type Topology = z.infer<typeof Topology>;

/** Whole characters (no half of a surrogate pair), none of them a control character. */
const noControl = /^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u;

const TlsOptions = z.object({
  enabled: z.boolean().default(false),
  /** PEM text. It is not secret; only the key is. */
  ca: z.string().max(65536).nullish(),
  cert: z.string().max(65536).nullish(),
  servername: z.string().max(253).regex(noControl).nullish(),
  /** Accept any certificate. The page says what this gives up. */
  skipVerify: z.boolean().default(false),
});

const password = z.string().max(4096);
const pem = z.string().max(65536);

/** Secrets as typed, in the browser only. undefined = keep what is stored, null or '' = remove, text = set. */
const SecretTexts = z.object({
  password: password.nullish(),
  sentinelPassword: password.nullish(),
  writePassword: password.nullish(),
  tlsKey: pem.nullish(),
});

const toSecret = (text: string) => (text === '' ? null : new Secret(text));

/** Secrets as the server parses them: each is hidden as soon as a body is read. */
export const Secrets = z.object({
  password: password.transform(toSecret).nullish(),
  sentinelPassword: password.transform(toSecret).nullish(),
  writePassword: password.transform(toSecret).nullish(),
  tlsKey: pem.transform(toSecret).nullish(),
});
export type Secrets = z.infer<typeof Secrets>;

const name = z.string().trim().min(1).max(80).regex(noControl);
const tag = z.string().trim().min(1).max(40).regex(noControl);
const environment = z.string().trim().max(40).regex(noControl);
const owner = z.string().trim().max(80).regex(noControl);

/** Instance settings as they are stored; input is checked further (`TypedInstance`, `InstanceUpdate`). */
export const InstanceSettings = z.object({
  name,
  topology: Topology,
  /** Standalone: one address. Cluster and Sentinel: one or more seeds. */
  endpoints: z.array(Endpoint).min(1).max(32),
  sentinelName: z.string().trim().max(253).regex(noControl).nullish(),
  addressMap: AddressMap.default([]),
  /** Cluster: nodes that are not among `endpoints` are listed but not connected to. */
  onlyEndpoints: z.boolean().default(false),
  username: z.string().max(253).regex(noControl).nullish(),
  sentinelUsername: z.string().max(253).regex(noControl).nullish(),
  /** Keys are changed by a separate user, whose password may be missing; false = by the user that reads. */
  separateWriteUser: z.boolean().default(false),
  writeUsername: z.string().max(253).regex(noControl).nullish(),
  tls: TlsOptions.prefault({}),
  /** null = every database that INFO keyspace lists. */
  databases: z.array(z.number().int().min(0).max(65535)).max(1024).nullable().default(null),
  protocol: z.enum(['auto', '2']).default('auto'),
  tags: z.array(tag).max(20).default([]),
  environment: environment.default(''),
  owner: owner.default(''),
  /** Refuses every write, even of an administrator. */
  readOnly: z.boolean().default(true),
  production: z.boolean().default(false),
  /** A plan for it runs only after another person than its author has approved it. */
  secondPerson: z.boolean().default(false),
  /** No byte of a value is shown, exported or sampled, for anyone and any reason. */
  valuesForbidden: z.boolean().default(false),
  /**
   * Its jobs run only in processes with this label (COLONNADE_WORKER_LABELS), if several processes share a database.
   */
  workerLabel: z.string().regex(WORKER_LABEL).nullish(),
});
export type InstanceSettings = z.infer<typeof InstanceSettings>;

/** The name that people use, and the team it belongs to. */
const typed = {
  name: name.superRefine(refuseUnseen),
  tags: z.array(tag.superRefine(refuseUnseen)).max(20),
  environment: environment.superRefine(refuseUnseen),
  owner: owner.superRefine(refuseUnseen),
};

/** The form sends this: the same as `InstanceInput`, before the secrets are hidden. */
export const TypedInstance = InstanceSettings.extend({
  name: typed.name,
  tags: typed.tags.default([]),
  environment: typed.environment.default(''),
  owner: typed.owner.default(''),
  secrets: SecretTexts.prefault({}),
  /** Announced addresses that may also be connected to; PATCH adds them to those already confirmed. */
  destinations: DestinationEntries.optional(),
});
export type TypedInstance = z.infer<typeof TypedInstance>;

/** Body of POST /api/instances and of the connection test. */
export const InstanceInput = TypedInstance.extend({ secrets: Secrets.prefault({}) });
export type InstanceInput = z.infer<typeof InstanceInput>;

/** Body of POST /api/instances/test. With `instanceId`, secrets that are not given are the stored ones. */
export const ConnectionTest = InstanceInput.extend({ instanceId: z.string().max(64).optional() });

/**
 * Body of PATCH /api/instances/:id: absent fields stay unchanged, without the defaults of a new instance. `updatedAt`
 * is that of the instance that was edited; if the instance has changed since, the change is refused (`conflict`).
 * Absent = the change is made anyway.
 */
export const InstanceUpdate = z.object({
  ...InstanceSettings.partial().shape,
  addressMap: AddressMap.optional(),
  onlyEndpoints: z.boolean().optional(),
  separateWriteUser: z.boolean().optional(),
  tls: TlsOptions.optional(),
  databases: z.array(z.number().int().min(0).max(65535)).max(1024).nullable().optional(),
  protocol: z.enum(['auto', '2']).optional(),
  name: typed.name.optional(),
  tags: typed.tags.optional(),
  environment: typed.environment.optional(),
  owner: typed.owner.optional(),
  readOnly: z.boolean().optional(),
  production: z.boolean().optional(),
  secondPerson: z.boolean().optional(),
  valuesForbidden: z.boolean().optional(),
  workerLabel: z.string().regex(WORKER_LABEL).nullish(),
  secrets: Secrets.optional(),
  destinations: DestinationEntries.optional(),
  updatedAt: z.number().int().optional(),
});
export type InstanceUpdate = z.infer<typeof InstanceUpdate>;

/** An instance as pages and the API show it: never a secret, only whether one is stored. */
export const Instance = InstanceSettings.extend({
  id: z.string(),
  hasPassword: z.boolean(),
  hasSentinelPassword: z.boolean(),
  hasWritePassword: z.boolean(),
  hasTlsKey: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /**
   * The protection marks, if other instances that name one of its nodes are stricter than its own settings; not in
   * lists.
   */
  marks: InstanceSettings.pick({
    readOnly: true,
    production: true,
    secondPerson: true,
    valuesForbidden: true,
  }).optional(),
});
export type Instance = z.infer<typeof Instance>;

/** Body of PUT /api/instances/:id/write-user: the user that changes keys. */
export const WriteUserInput = z.object({
  username: z.string().max(253).regex(noControl).nullish(),
  password: password.min(1).transform((text) => new Secret(text)),
});
export type WriteUserInput = z.infer<typeof WriteUserInput>;

/** Settings with decrypted secrets. They are kept only in memory, between the vault and the connection. */
export interface ConnectionTarget extends InstanceSettings {
  id: string;
  password: Secret | null;
  sentinelPassword: Secret | null;
  /** null if it is not stored, and for code that changes no key. */
  writePassword: Secret | null;
  tlsKey: Secret | null;
}
