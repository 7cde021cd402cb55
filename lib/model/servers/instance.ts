import { z } from 'zod';
import { WORKER_LABEL } from '@/lib/model/presence';
import { DestinationEntries } from './destination';

export const Topology = z.enum(['standalone', 'cluster', 'sentinel']);
export type Topology = z.infer<typeof Topology>;

const noControl = /^[^\u0000-\u001f\u007f]*$/;

export const Endpoint = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9._:[\]-]+$/, 'host'),
  port: z.number().int().min(1).max(65535),
});
export type Endpoint = z.infer<typeof Endpoint>;

export const TlsOptions = z.object({
  enabled: z.boolean().default(false),
  /** PEM text. Not secret, but the key below is. */
  ca: z.string().max(65536).nullish(),
  cert: z.string().max(65536).nullish(),
  servername: z.string().max(253).regex(noControl).nullish(),
  /** Accept any certificate. Only on purpose: the page says what it gives up. */
  skipVerify: z.boolean().default(false),
});

export const Secrets = z.object({
  /** undefined = keep what is stored, null or '' = remove, text = set. */
  password: z.string().max(4096).nullish(),
  sentinelPassword: z.string().max(4096).nullish(),
  tlsKey: z.string().max(65536).nullish(),
});
export type Secrets = z.infer<typeof Secrets>;

export const InstanceSettings = z.object({
  name: z.string().trim().min(1).max(80).regex(noControl),
  topology: Topology,
  /** Standalone: one address. Cluster and Sentinel: one or more seeds. */
  endpoints: z.array(Endpoint).min(1).max(32),
  sentinelName: z.string().trim().max(253).regex(noControl).nullish(),
  username: z.string().max(253).regex(noControl).nullish(),
  sentinelUsername: z.string().max(253).regex(noControl).nullish(),
  tls: TlsOptions.prefault({}),
  /** null = every database that INFO keyspace lists. */
  databases: z.array(z.number().int().min(0).max(65535)).max(1024).nullable().default(null),
  protocol: z.enum(['auto', '2']).default('auto'),
  tags: z.array(z.string().trim().min(1).max(40).regex(noControl)).max(20).default([]),
  environment: z.string().trim().max(40).regex(noControl).default(''),
  owner: z.string().trim().max(80).regex(noControl).default(''),
  /** Refuses every write whoever asks. */
  readOnly: z.boolean().default(true),
  production: z.boolean().default(false),
  /** A plan of it runs only after another person than its maker has approved it. */
  secondPerson: z.boolean().default(false),
  /** No byte of a value is shown, exported or sampled, whoever asks and why ever. */
  valuesForbidden: z.boolean().default(false),
  /** Its jobs run only in processes with this label (COLONNADE_WORKER_LABELS), where several share a database. */
  workerLabel: z.string().regex(WORKER_LABEL).nullish(),
});
export type InstanceSettings = z.infer<typeof InstanceSettings>;

/** Body of POST /api/instances and of the connection test. */
export const InstanceInput = InstanceSettings.extend({
  secrets: Secrets.prefault({}),
  /** Announced addresses that may be connected to as well; PATCH adds to what is confirmed already. */
  destinations: DestinationEntries.optional(),
});
export type InstanceInput = z.infer<typeof InstanceInput>;

/** Body of POST /api/instances/test. With `instanceId`, secrets that are not given are the stored ones. */
export const ConnectionTest = InstanceInput.extend({ instanceId: z.string().max(64).optional() });

/** Body of PATCH /api/instances/:id: what is not given stays as it is, without the defaults of a new instance. */
export const InstanceUpdate = z.object({
  ...InstanceSettings.partial().shape,
  tls: TlsOptions.optional(),
  databases: z.array(z.number().int().min(0).max(65535)).max(1024).nullable().optional(),
  protocol: z.enum(['auto', '2']).optional(),
  tags: z.array(z.string().trim().min(1).max(40).regex(noControl)).max(20).optional(),
  environment: z.string().trim().max(40).regex(noControl).optional(),
  owner: z.string().trim().max(80).regex(noControl).optional(),
  readOnly: z.boolean().optional(),
  production: z.boolean().optional(),
  secondPerson: z.boolean().optional(),
  valuesForbidden: z.boolean().optional(),
  workerLabel: z.string().regex(WORKER_LABEL).nullish(),
  secrets: Secrets.optional(),
  destinations: DestinationEntries.optional(),
});
export type InstanceUpdate = z.infer<typeof InstanceUpdate>;

/** What a page sees: never a secret, only whether one is stored. */
export const Instance = InstanceSettings.extend({
  id: z.string(),
  hasPassword: z.boolean(),
  hasSentinelPassword: z.boolean(),
  hasTlsKey: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Instance = z.infer<typeof Instance>;

/** Settings with opened secrets. Lives only in memory, between the vault and the wire. */
export interface ConnectionTarget extends InstanceSettings {
  id: string;
  password: string | null;
  sentinelPassword: string | null;
  tlsKey: string | null;
}
