/** Accounts, teams, sessions and tokens; columns as in ../tables.ts. */

import type { ColumnType } from 'kysely';
import type { Grant, Role } from '@/lib/model/access';

export interface UsersTable {
  id: string;
  name: string;
  /** The name in the form in which names are compared: case-folded, in one Unicode form. */
  name_key: string;
  role: Role;
  /** argon2id; null = the one-time link has not been used. */
  password: string | null;
  disabled: number;
  created_at: ColumnType<number, number, never>;
  last_sign_in_at: number | null;
  /** Identity provider that sets role, grants and teams; null = a local account. */
  provider: string | null;
  /** Until when the rights from the provider are valid, epoch ms; null = without end. */
  rights_until: number | null;
}

export interface TeamsTable {
  id: string;
  name: string;
  /** The name in the form in which names are compared; unique. */
  name_key: string;
  created_at: ColumnType<number, number, never>;
}

export interface TeamMembersTable {
  team_id: string;
  user_id: string;
  by_provider: number;
}

export interface TeamGrantsTable {
  team_id: string;
  kind: Grant['kind'];
  value: string;
  role: Grant['role'];
}

export interface IdentitiesTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: ColumnType<number, number, never>;
}

export interface SignInAttemptsTable {
  state_hash: string;
  browser_hash: string;
  provider: string;
  next: string;
  session_id: string | null;
  address: string;
  created_at: ColumnType<number, number, never>;
}

export interface GrantsTable {
  user_id: string;
  kind: Grant['kind'];
  value: string;
  role: Grant['role'];
}

export interface SessionsTable {
  id: string;
  /** SHA-256 of the token; the token itself is in the cookie only. */
  token_hash: string;
  user_id: string;
  created_at: ColumnType<number, number, never>;
  last_seen_at: number;
  expires_at: number;
  confirmed_at: number;
  address: string;
  agent: string;
  /** Identity provider that the session began with; null = it began with a password or a link. */
  provider: string | null;
}

export interface ApiTokensTable {
  id: string;
  /** SHA-256 of the token, which was shown only once. */
  token_hash: string;
  user_id: string;
  name: string;
  /** The name in the form in which names are compared. */
  name_key: string;
  role: Role;
  /** JSON */
  grants: string;
  created_at: ColumnType<number, number, never>;
  expires_at: number;
  last_used_at: number | null;
  last_address: string | null;
}

export interface OneTimeLinksTable {
  token_hash: string;
  /** null = the link creates the first administrator. */
  user_id: string | null;
  expires_at: number;
}
