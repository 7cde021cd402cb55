import { z } from 'zod';
import { type Grant, ROLES } from './access';

/** Schemas of roles and grants in requests; separate from access.ts, which pages load too. */
export const RoleShape = z.enum(ROLES);
export const GrantShape = z.object({
  kind: z.enum(['instance', 'tag', 'environment']),
  value: z.string().trim().min(1).max(64),
  role: RoleShape.exclude(['none']),
}) satisfies z.ZodType<Grant>;
