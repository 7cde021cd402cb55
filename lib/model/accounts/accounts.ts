import { z } from 'zod';
import type { Grant, Role } from '@/lib/model/access';
import { GrantShape, RoleShape } from '@/lib/model/access-shapes';
import { refuseUnseen } from '@/lib/model/text/refuse-unseen';
import { MIN_PASSWORD } from './min-password';

/** Names are compared without regard to case: `Ada` and `ada` are the same. */
export const UserName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}._@+-]+$/u, 'letters, digits and . _ @ + -')
  .superRefine(refuseUnseen);
const NewPassword = z.string().min(MIN_PASSWORD).max(256);

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
/** The body when a one-time link is used; `name` is given only by the first administrator, who has none yet. */
export const LinkUse = z.object({ token: z.string().max(100), name: UserName.optional(), password: NewPassword });
export type LinkUse = z.infer<typeof LinkUse>;

export interface User {
  id: string;
  name: string;
  role: Role;
  grants: Grant[];
  disabled: boolean;
  /** false = the one-time link has not been used yet, or there is none (`provider`). */
  hasPassword: boolean;
  /** Id of the identity provider that defines role, grants and teams; null = a local account. */
  provider: string | null;
  createdAt: number;
  lastSignInAt: number | null;
}

export interface Session {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  /** The session ends at this time, epoch ms, however much it is used. */
  expiresAt: number;
  address: string;
  /** The User-Agent that the browser sends. */
  agent: string;
  current: boolean;
}

/** Shown once; only its hash is stored. */
export interface OneTimeLink {
  token: string;
  expiresAt: number;
}

/** The person who requests a page; `user` null = not signed in. */
export interface SessionInfo {
  user: {
    id: string;
    name: string;
    role: Role;
    grants: Grant[];
    /** Id of the identity provider that this session was started with; null = by password. */
    provider: string | null;
    /** When the person last proved their identity, epoch ms; 0 = not known. */
    confirmedAt: number;
  } | null;
  /** Single-user mode: there is no sign-in, and everyone who can reach the server acts as its one administrator. */
  singleUser: boolean;
  /** This is the demo, whose first page says what there is to look at. */
  demo: boolean;
  /** The control database can currently be read but not written: nothing can be changed, and nobody can sign in. */
  storeReadOnly: boolean;
}
export const LinkCheck = LinkUse.pick({ token: true });
