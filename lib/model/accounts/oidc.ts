import { z } from 'zod';
import type { Grant, Role } from '@/lib/model/access';
import { GrantShape, RoleShape } from '@/lib/model/access-shapes';
import { TeamName } from '@/lib/model/accounts/teams';
import type { Secret } from '@/lib/model/secret';

/** The id of a provider in addresses, in the audit log and in account names. */
const ProviderId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'small letters, digits and -');

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const Issuer = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}, 'an https address without query (http on this machine only)');

const GroupRights = z.object({
  group: z.string().min(1).max(256),
  role: RoleShape.default('none'),
  grants: z.array(GrantShape).max(100).default([]),
  teams: z.array(TeamName).max(20).default([]),
});

/** One identity provider as the settings file describes it. */
export const ProviderSettings = z.object({
  id: ProviderId,
  /** The label on the button of the sign-in page. */
  label: z.string().trim().min(1).max(64),
  issuer: Issuer,
  clientId: z.string().min(1).max(256),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/))
    .max(20)
    .default(['openid', 'profile']),
  nameClaim: z.string().min(1).max(256).default('preferred_username'),
  groupsClaim: z.string().min(1).max(256).default('groups'),
  /** Hosts, besides the issuer's own, that its endpoints may be on. */
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]{1,253}(:\d{1,5})?$/, 'a host, with a port where it is not 443'))
    .max(20)
    .default([]),
  /** Who may sign in: members of a group that is listed here, or everyone whom the provider signs in. */
  admit: z.enum(['groups', 'everyone']).default('groups'),
  /** false = only people who have signed in before. */
  createAccounts: z.boolean().default(true),
  /** The role of everyone who is admitted; groups add to it. */
  role: RoleShape.default('none'),
  groups: z.array(GroupRights).max(500).default([]),
  /**
   * After this many days without a sign-in, rights from the provider are no longer valid, and API tokens cannot be
   * used.
   */
  rightsDays: z.number().int().min(1).max(365).default(30),
});
export const ProvidersFile = z.object({ providers: z.array(ProviderSettings).min(1).max(20) });

export type Provider = z.infer<typeof ProviderSettings> & {
  /** COLONNADE_OIDC_SECRET_<ID>; null: it is a public client. */
  clientSecret: Secret | null;
};
/** The public part of a provider. */
export type ShownProvider = Pick<Provider, 'id' | 'label'>;

/** The verified statement of a provider about a person. */
export interface Identity {
  issuer: string;
  subject: string;
  /** As claimed; it never identifies the person. */
  name: string | null;
  groups: string[];
  /** When the person signed in at the provider (by password or similar), epoch ms; null = not stated. */
  authenticatedAt: number | null;
}
export interface ProviderRights {
  role: Role;
  grants: Grant[];
  teams: string[];
}

export const BeginProviderSignIn = z.object({
  /** `confirm`: a signed-in person proves their identity again, before an act on production. */
  purpose: z.enum(['sign-in', 'confirm']).default('sign-in'),
  next: z.string().max(2000).optional(),
});
export type BeginProviderSignIn = z.infer<typeof BeginProviderSignIn>;

/** The query of the callback: state, code, and anything else that a provider adds. */
export const CallbackQuery = z.record(z.string().max(100), z.string().max(8192));
