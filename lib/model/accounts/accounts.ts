import { z } from 'zod';
import type { Grant, Role } from '@/lib/model/access';
import { GrantShape, RoleShape } from '@/lib/model/access-shapes';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';
import { MIN_PASSWORD } from './min-password';

/** Names are distinguished without regard to case: `Ada` and `ada` are one. */
export const UserName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}._@+-]+$/u, 'letters, digits and . _ @ + -')
  .superRefine(refuseUnseen);
export const NewPassword = z.string().min(MIN_PASSWORD).max(256);

export const Credentials = z.object({ name: z.string().max(64), password: z.string().max(256) });
export const PasswordAgain = z.object({ password: z.string().max(256) });
export const PasswordChange = z.object({ current: z.string().max(256), next: NewPassword });
export const UserInput = z.object({
  name: UserName,
  role: RoleShape,
  grants: z.array(GrantShape).max(100).default([]),
});
export type UserInput = z.infer<typeof UserInput>;
export const UserUpdate = z.object({
  role: RoleShape.optional(),
  grants: z.array(GrantShape).max(100).optional(),
  disabled: z.boolean().optional(),
});
export type UserUpdate = z.infer<typeof UserUpdate>;
/** What a one-time link is used for; `name` only by the first administrator, who has none yet. */
export const LinkUse = z.object({ token: z.string().max(100), name: UserName.optional(), password: NewPassword });
export type LinkUse = z.infer<typeof LinkUse>;

export interface User {
  id: string;
  name: string;
  role: Role;
  grants: Grant[];
  disabled: boolean;
  /** false: the one-time link has not been used yet, or there is none (`provider`). */
  hasPassword: boolean;
  /** Id of the identity provider that says role, grants and teams; null = a local account. */
  provider: string | null;
  createdAt: number;
  lastSignInAt: number | null;
}

export interface Session {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  /** Ends then, however much it is used. */
  expiresAt: number;
  address: string;
  /** What the browser says of itself. */
  agent: string;
  current: boolean;
}

/** Shown once; only its hash is kept. */
export interface OneTimeLink {
  token: string;
  expiresAt: number;
}

/** Who looks at a page; `user` null = nobody has signed in. */
export interface SessionInfo {
  user: {
    id: string;
    name: string;
    role: Role;
    grants: Grant[];
    /** Id of the identity provider with which this session began; null = by password. */
    provider: string | null;
    /** When the person last showed who they are, epoch ms; 0 = not known. */
    confirmedAt: number;
  } | null;
  /** Nobody signs in: whoever reaches the server is its one administrator. */
  singleUser: boolean;
  /** The control database can be read and not written just now: nothing can be changed, nobody can sign in. */
  storeReadOnly: boolean;
}
export const LinkCheck = LinkUse.pick({ token: true });
