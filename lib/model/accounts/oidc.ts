import { z } from 'zod';
import type { Grant, Role } from '@/lib/model/access';
import { GrantShape, RoleShape } from '@/lib/model/access-shapes';
import { TeamName } from '@/lib/model/accounts/teams';
import type { Secret } from '@/lib/model/secret';

/** Of a provider in addresses, the audit log and names of accounts. */
export const ProviderId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'small letters, digits and -');

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
  /** On the button of the sign-in page. */
  label: z.string().trim().min(1).max(64),
  issuer: Issuer,
  clientId: z.string().min(1).max(256),
  /** One of both, or COLONNADE_OIDC_SECRET_<ID>; none of them: a public client. */
  clientSecret: z.string().min(1).max(1024).optional(),
  clientSecretFile: z.string().min(1).max(1024).optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/))
    .max(20)
    .default(['openid', 'profile']),
  nameClaim: z.string().min(1).max(256).default('preferred_username'),
  groupsClaim: z.string().min(1).max(256).default('groups'),
  /** Beside the issuer's own, where its endpoints may lie. */
  hosts: z
    .array(z.string().regex(/^[a-z0-9.-]{1,253}(:\d{1,5})?$/, 'a host, with a port where it is not 443'))
    .max(20)
    .default([]),
  /** Who may come in: whoever is in a group that is listed here, or everybody whom the provider lets in. */
  admit: z.enum(['groups', 'everyone']).default('groups'),
  /** false: only people who have signed in before. */
  createAccounts: z.boolean().default(true),
  /** Of everybody who is admitted; groups add to it. */
  role: RoleShape.default('none'),
  groups: z.array(GroupRights).max(500).default([]),
  /** After so many days without a sign-in what the provider gave counts no more: API tokens rest. */
  rightsDays: z.number().int().min(1).max(365).default(30),
});
export const ProvidersFile = z.object({ providers: z.array(ProviderSettings).min(1).max(20) });

export type Provider = Omit<z.infer<typeof ProviderSettings>, 'clientSecret' | 'clientSecretFile'> & {
  clientSecret: Secret | null;
};
/** What anybody may know of a provider. */
export type ShownProvider = Pick<Provider, 'id' | 'label'>;

/** What a provider says of somebody, checked. */
export interface Identity {
  issuer: string;
  subject: string;
  /** As claimed; never decides who somebody is. */
  name: string | null;
  groups: string[];
  /** When that person gave the password or the like there, epoch ms; null = not said. */
  authenticatedAt: number | null;
}
export interface ProviderRights {
  role: Role;
  grants: Grant[];
  teams: string[];
}

export const BeginProviderSignIn = z.object({
  /** `confirm`: the person who is signed in shows once more who they are, before an act on production. */
  purpose: z.enum(['sign-in', 'confirm']).default('sign-in'),
  next: z.string().max(2000).optional(),
});
export type BeginProviderSignIn = z.infer<typeof BeginProviderSignIn>;

/** What a browser comes back with: state, code, and whatever else a provider sends along. */
export const CallbackQuery = z.record(z.string().max(100), z.string().max(8192));
