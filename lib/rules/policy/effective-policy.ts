import { createHash } from 'node:crypto';
import {
  type Assignment,
  type EffectivePolicy,
  type Exemption,
  NO_ASSIGNMENT,
  type PrefixOwner,
  type ProfileBody,
} from '@/lib/model/rules/policy';
import { RULES_VERSION } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/profiles/presets';
import { log } from '@/lib/runtime/log';
import { getAssignmentRow } from '@/lib/store/policies/assignments';
import { listExemptionRows } from '@/lib/store/policies/exemptions';
import { listOwnerRows } from '@/lib/store/policies/owners';
import { getProfileRow } from '@/lib/store/policies/profiles';

/**
 * Everything that decides findings, resolved and self-contained. Its hash depends only on its content: not on the order
 * of rows or prefixes, not on who granted an exemption or why, and on the time only through which exemptions are still
 * valid.
 */
export async function getEffectivePolicy(instanceId: string | null, now = Date.now()): Promise<EffectivePolicy> {
  if (instanceId === null) return toPolicy(presets.get('default')!);
  const assignment = (await getAssignmentRow(instanceId)) ?? NO_ASSIGNMENT;
  const [exemptions, owners] = await Promise.all([listExemptionRows(instanceId), listOwnerRows(instanceId)]);
  const bodies = new Map<string, ProfileBody>();
  for (const id of [assignment.profileId, ...assignment.prefixes.map(({ profileId }) => profileId)])
    if (!bodies.has(id)) bodies.set(id, await readProfileBody(id, instanceId));
  return resolvePolicy(
    assignment,
    bodies,
    exemptions.filter(({ expiresAt }) => expiresAt === null || expiresAt > now),
    owners,
  );
}

/** A policy that consists of one profile: for the command line, `lint`, and trying names in the editor. */
export function toPolicy(body: ProfileBody): EffectivePolicy {
  return resolvePolicy({ profileId: 'profile', prefixes: [] }, new Map([['profile', body]]), [], []);
}

async function readProfileBody(id: string, instanceId: string): Promise<ProfileBody> {
  const found = presets.get(id) ?? (await getProfileRow(id))?.body;
  if (found) return found;
  log().warn({ profile: id, instance: instanceId }, 'profile.missing');
  return presets.get('default')!;
}

/**
 * Combines the stored rows into one policy with its hash. `bodies` are the profiles that the assignment names, by id.
 */
export function resolvePolicy(
  assignment: Assignment,
  bodies: ReadonlyMap<string, ProfileBody>,
  exemptions: readonly Exemption[],
  owners: readonly PrefixOwner[],
): EffectivePolicy {
  const profiles = [...bodies].map(([id, body]) => ({ id, body })).sort((a, b) => (a.id < b.id ? -1 : 1));
  const findProfileIndex = (id: string) => profiles.findIndex((profile) => profile.id === id);
  // The instance's own owner of a prefix wins over the one of all instances.
  const teams = new Map<string, string>();
  for (const { prefix, team, instanceId } of owners)
    if (instanceId !== null || !teams.has(prefix)) teams.set(prefix, team);
  const policy = {
    profiles,
    base: findProfileIndex(assignment.profileId),
    prefixes: sortCanonically(
      assignment.prefixes.map(({ prefix, profileId }) => ({ prefix, profile: findProfileIndex(profileId) })),
    ),
    exemptions: sortCanonically(listExemptedPlaces(exemptions)),
    owners: sortCanonically([...teams].map(([prefix, team]) => ({ prefix, team }))),
  };
  return {
    hash: createHash('sha256')
      .update(toCanonicalJson({ ...policy, rulesVersion: RULES_VERSION }))
      .digest('hex')
      .slice(0, 16),
    ...policy,
  };
}

/**
 * One entry for each rule and each prefix or pattern, without duplicates: policies that exempt the same findings have the
 * same hash, however these are divided among exemptions.
 */
function listExemptedPlaces(exemptions: readonly Exemption[]): EffectivePolicy['exemptions'] {
  const entries = exemptions.flatMap(({ rules, prefixes, patterns }) =>
    (rules === '*' ? ['*'] : rules).flatMap((rule) => [
      ...prefixes.map((prefix) => ({ rule, prefix, pattern: null })),
      ...patterns.map((pattern) => ({ rule, prefix: null, pattern })),
    ]),
  );
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

const sortCanonically = <T>(items: T[]): T[] =>
  [...items].sort((a, b) => (toCanonicalJson(a) < toCanonicalJson(b) ? -1 : 1));

/** JSON with sorted fields: equal contents give equal text. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
