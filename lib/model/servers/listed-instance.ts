import { z } from 'zod';
import { Secret } from '@/lib/model/secret';
import { Topology } from './instance';

/** Most instances of one list. */
export const MAX_LISTED = 500;

/** The text of a list may hold passwords. */
const text = z
  .string()
  .max(256 * 1024)
  .transform((list) => new Secret(list));

/** Body of POST /api/instances/import: a list of instances as CSV or YAML. */
export const InstanceList = z.object({ text });

/**
 * Body of POST /api/instances/import/row: one instance of the list, by its place in it (from 0). It is tested, and
 * registered if `register` is true and the test succeeds.
 */
export const InstanceListRow = z.object({
  text,
  row: z.number().int().min(0).max(MAX_LISTED),
  register: z.boolean().default(false),
});

/** One instance of a list, without its password. */
export const ListedInstance = z.object({
  name: z.string(),
  /** null = the address could not be read. */
  address: z.string().nullable(),
  topology: Topology.nullable(),
  environment: z.string(),
  tags: z.array(z.string()),
  owner: z.string(),
  production: z.boolean(),
  readOnly: z.boolean(),
  /** What is wrong with the row, in a sentence; null = nothing. */
  problem: z.string().nullable(),
});
export type ListedInstance = z.infer<typeof ListedInstance>;
