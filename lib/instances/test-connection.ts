import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openRow } from '@/lib/access/credentials/open-target';
import { roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError, type ErrorCode, toErrorBody } from '@/lib/model/errors';
import type { ConnectionTarget, InstanceInput } from '@/lib/model/servers/instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { toDestinationEntry } from '@/lib/redis/connection/destinations/destination-entries';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { signInAsWriteUser } from '@/lib/redis/connection/write-user';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { proposeAddressMap } from '@/lib/redis/server/propose-address-map';
import { listEnteredAddresses } from '@/lib/redis/server/read-identity';
import type { SealedSecrets } from '@/lib/store/instances';
import { listDestinations } from '@/lib/store/nodes/destinations';
import { runTransaction } from '@/lib/store/open-store';
import { checkShape } from './check-settings';
import { requireInstanceRow } from './get-instance';
import { refuseForeignNodes, spellAddresses } from './refuse-foreign-nodes';
import { SECRET_NAMES } from './secrets-patch';
import { changesPlace, refuseSilentRedirect } from './update-instance';
import { warnOfSharing } from './warn-of-sharing';
import { withSession } from './with-session';

const NOT_REACHED: ReadonlySet<ErrorCode> = new Set([
  'redis_dns',
  'redis_unreachable',
  'redis_timeout',
  'destination_refused',
  'destination_unconfirmed',
  'node_not_used',
]);

/**
 * Tries a connection before it is saved; limit: ten seconds. With `instanceId`, secrets that are not given are taken
 * from the store, but only for the address they were stored for. Sending stored secrets to unconfirmed destinations
 * counts as confirming these and needs the same recent sign-in.
 */
export const testConnection = verb(
  {
    needs: 'instance.manage',
    on: (_input: InstanceInput, instanceId?: string) => scopeToInstance(instanceId ?? null),
    action: 'instance.test',
    subject: ({ name }: InstanceInput, instanceId?: string) => instanceId ?? name,
    fresh: sendsStoredSecret,
  },
  async (actor: Actor, input: InstanceInput, instanceId?: string): Promise<ConnectionReport> => {
    const endpoints = listEnteredAddresses(input);
    const entry = { action: 'instance.test', subject: instanceId ?? input.name, instanceId: instanceId ?? null };
    checkShape(input, false);
    const destinations = (input.destinations ?? []).map(toDestinationEntry);
    const recorded = { endpoints, ...(destinations.length > 0 && { destinations }) };
    const target = await buildTarget(input, instanceId);
    const stays = instanceId !== undefined && !changesPlace((await requireInstanceRow(instanceId)).settings, target);
    const spelled = await spellAddresses(actor, stays ? destinations : [...endpoints, ...destinations]);
    // Recorded before connecting, because trying addresses is a way to explore a network.
    const intent = await runTransaction(async (tx) => {
      if (instanceId !== undefined) await refuseForeignNodes(actor, instanceId, spelled, tx);
      return recordAudit(tx, { ...entry, actor, outcome: 'intent', details: recorded });
    });
    const { addressMap } = input;
    const byAdministrator = roleAllows(actor.role, 'instance.manage');
    const policy = readDestinationPolicy(instanceId ?? null, {
      endpoints: input.endpoints,
      addressMap,
      destinations,
      byAdministrator,
    });
    const outcome = await withSession(target, policy, async (session) => {
      const report = await readConnectionReport(session);
      // The write user can be tried only with its password, which may be given later, before a key is changed.
      if (target.separateWriteUser && target.writePassword !== null) await signInAsWriteUser(session);
      return report;
    }).then(
      (report) => ({ report, error: null }),
      (error: unknown) => ({ report: null, error }),
    );
    const details = outcome.report ? recorded : { ...recorded, code: toErrorBody(outcome.error).code };
    await runTransaction((tx) =>
      recordAudit(tx, { ...entry, actor, intent, outcome: outcome.report ? 'done' : 'failed', details }),
    );
    if (!outcome.report) throw await addProposal(outcome.error, target, policy);
    const report = await warnOfSharing(actor, outcome.report, instanceId ?? null);
    const isComplete = report.nodes.every(({ healthy }) => healthy);
    return isComplete ? report : { ...report, addressMap: await proposeAddressMap(target, policy) };
  },
);

/** Adds entries for the address map to an error of nodes that were not reached, if there are any. */
async function addProposal(error: unknown, target: ConnectionTarget, policy: DestinationPolicy): Promise<unknown> {
  if (!(error instanceof AppError) || !NOT_REACHED.has(error.code)) return error;
  const addressMap = await proposeAddressMap(target, policy);
  if (addressMap.length === 0) return error;
  return new AppError(error.code, error.message, { ...error.details, addressMap }, { cause: error });
}

/** Destinations are compared as text, so an address within a confirmed range needs a recent sign-in again. */
async function sendsStoredSecret({ destinations = [], secrets }: InstanceInput, id?: string): Promise<boolean> {
  if (id === undefined || destinations.length === 0) return false;
  const { sealed } = await requireInstanceRow(id);
  if (SECRET_NAMES.every((name) => sealed[name] === null || secrets[name] !== undefined)) return false;
  const confirmed = new Set((await listDestinations(id)).map(({ address }) => address));
  return destinations.map(toDestinationEntry).some((place) => !confirmed.has(place));
}

/** Returns the target as entered; a secret that was not given is the stored one. */
async function buildTarget(input: InstanceInput, instanceId: string | undefined): Promise<ConnectionTarget> {
  const { secrets: given, destinations: _, ...settings } = input;
  let stored: Pick<ConnectionTarget, keyof SealedSecrets> | null = null;
  if (instanceId !== undefined) {
    const row = await requireInstanceRow(instanceId);
    refuseSilentRedirect(row, settings, given);
    stored = openRow(row, { forWriting: settings.separateWriteUser });
  }
  const pickSecret = (name: keyof SealedSecrets) => (given[name] === undefined ? stored?.[name] : given[name]) ?? null;
  return {
    ...settings,
    id: instanceId ?? 'test',
    password: pickSecret('password'),
    sentinelPassword: pickSecret('sentinelPassword'),
    writePassword: pickSecret('writePassword'),
    tlsKey: pickSecret('tlsKey'),
  };
}
