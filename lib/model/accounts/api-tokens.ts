import { z } from 'zod';
import type { Grant, Role } from '@/lib/model/access';
import { GrantShape, RoleShape } from '@/lib/model/access-shapes';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';

export const TOKEN_DAYS = { usual: 90, max: 365 };
/**
 * The prefix makes a token recognisable in a log or a repository, for people and for programs that search for secrets.
 */
export const TOKEN_PREFIX = 'colonnade_';
export const API_TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`);

/** A name that reads the same in a log, on a page and in a shell: no brackets, quotes or control characters. */
export const TokenName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}._@+:/ -]+$/u, 'letters, digits, spaces and . _ @ + : / -')
  .superRefine(refuseUnseen);

/** `role` none: the token has only the rights of its grants. */
export const ApiTokenInput = z.object({
  name: TokenName,
  role: RoleShape,
  grants: z.array(GrantShape).max(100).default([]),
  days: z.number().int().min(1).max(TOKEN_DAYS.max).default(TOKEN_DAYS.usual),
});
export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

export interface ApiToken {
  id: string;
  name: string;
  /** The owner; the token can never do more than the owner. */
  user: { id: string; name: string; disabled: boolean };
  role: Role;
  grants: Grant[];
  createdAt: number;
  expiresAt: number;
  /** Epoch ms, exact to a minute; null = never used. */
  lastUsedAt: number | null;
  lastAddress: string | null;
}
