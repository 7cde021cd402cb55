import { recordAudit } from '@/lib/access/audit/record';
import { getRoleOn, PERMISSIONS, PERMISSIONS_WITHOUT_TOKENS, type Permission, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { getSessionRow } from '@/lib/store/accounts/sessions';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { runTransaction } from '@/lib/store/open-store';

/** How long a session counts as fresh after the password was entered. */
const FRESH_MS = 5 * 60_000;

/**
 * Checks that the password was entered in this session within the last five minutes, so that an open browser is not
 * enough. It is called before actions on production and those that create further access, such as users and tokens.
 * Users who do not sign in (single user, the command line on this machine) pass. Errors: `person_needed`,
 * `fresh_sign_in_needed`, `sign_in_needed`.
 */
export async function assertFreshSignIn(actor: Actor, now = Date.now()): Promise<void> {
  if (actor.tokenId !== undefined)
    throw new AppError('person_needed', 'Only a person may do this, signed in with a password.');
  if (actor.sessionId === undefined) return;
  const session = await getSessionRow(actor.sessionId);
  if (session === null) throw new AppError('sign_in_needed', 'Sign in first.');
  const age = now - session.confirmedAt;
  // If the clock was set back, an old confirmation must not count as fresh.
  if (age < 0 || age >= FRESH_MS)
    throw new AppError('fresh_sign_in_needed', 'Enter your password again.', {
      minutes: FRESH_MS / 60_000,
    });
}

/** The object of a call, which decides whose permission counts. */
export type VerbScope =
  /** It concerns everything: the user's own role counts. */
  | 'everywhere'
  /** It returns or changes only what belongs to the user or what they may see; the verb itself ensures that. */
  | 'own'
  /** `null` = every instance at once, like `everywhere`. */
  | { instanceId: string | null };

/** The parameters of a verb after the actor. */
type ArgsOf<F> = F extends (actor: Actor, ...args: infer A) => unknown ? A : never;

type Fresh = true | 'always';

interface Declaration<A extends unknown[]> {
  needs: Permission;
  /** The scope of a call; null = there is no such object. It is called only if the user's own role is not enough. */
  on: (...args: A) => VerbScope | null | Promise<VerbScope | null>;
  /**
   * The action under which a refusal is recorded, for verbs that change something or read values; other reads are not
   * recorded. `subject` is what the row is about. Without it the first argument is used if it is a string: set
   * `subject` if that is not an id.
   */
  action?: string;
  subject?: (...args: A) => string;
  /**
   * Requires that the password was entered recently, which no token can do: `true` = on a production instance; `always`
   * = on any instance, because the action creates further access or ends a protection. A function decides this for each
   * call.
   */
  fresh?: Fresh | ((...args: A) => Promise<Fresh | false>);
}
interface Declared {
  readonly needs: Permission;
  readonly action: string | undefined;
}

/**
 * Makes a function of Colonnade that pages, routes and the command line may call; they call no others
 * (test/verbs.test.ts). The declaration states what it requires, and this is checked before it runs. Errors:
 * `sign_in_needed`, `person_needed`, `forbidden`, `not_found`, those of `assertFreshSignIn`, and its own.
 */
export function verb<F extends (actor: Actor, ...args: never[]) => Promise<unknown>>(
  declaration: Declaration<ArgsOf<F>>,
  act: F,
): F & Declared {
  const runVerb = async (actor: Actor, ...args: ArgsOf<F>) => {
    await admit(actor, declaration, args);
    return Reflect.apply(act, undefined, [actor, ...args]);
  };
  return Object.assign(runVerb as unknown as F, { needs: declaration.needs, action: declaration.action });
}

async function admit<A extends unknown[]>(actor: Actor, declared: Declaration<A>, args: A): Promise<void> {
  if (actor.id === '') throw new AppError('sign_in_needed', 'Sign in first.');
  const { needs, on } = declared;
  if (actor.tokenId !== undefined && PERMISSIONS_WITHOUT_TOKENS.has(needs)) {
    await recordRefusal(actor, declared, args, null, 'token');
    throw new AppError('person_needed', 'API tokens may not do this. Sign in with name and password.', { needs });
  }
  if (roleAllows(actor.role, needs) && !declared.fresh) return;
  const scope = await on(...args);
  const instanceId = scope === null || typeof scope === 'string' ? null : scope.instanceId;
  const instance = instanceId === null ? null : await getProtectedInstance(instanceId);
  const has = instance ? getRoleOn(actor, { id: instance.id, ...instance.settings }) : actor.role;
  if (scope === 'own' || roleAllows(actor.role, needs) || (instance && roleAllows(has, needs))) {
    const fresh = await requiresFresh(declared, args);
    if (fresh !== 'always' && !(fresh && instance?.settings.production)) return;
    // A page asks for the password and continues; an attempt by a program is recorded.
    if (actor.tokenId !== undefined) await recordRefusal(actor, declared, args, instanceId, 'token');
    return assertFreshSignIn(actor);
  }
  await recordRefusal(actor, declared, args, instanceId);
  // A user who may not even see the object must not learn that it exists.
  if (has === 'none' && scope !== 'everywhere') throw new AppError('not_found', 'Not found, or you may not see it.');
  throw new AppError('forbidden', `This needs the role ${PERMISSIONS[needs]}; ${actor.name} is ${has}.`, {
    needs: PERMISSIONS[needs],
    has,
  });
}

const requiresFresh = async <A extends unknown[]>({ fresh }: Declaration<A>, args: A): Promise<Fresh | false> =>
  typeof fresh === 'function' ? fresh(...args) : (fresh ?? false);

async function recordRefusal<A extends unknown[]>(
  actor: Actor,
  { needs, action, subject }: Declaration<A>,
  args: A,
  instanceId: string | null,
  because?: 'token',
): Promise<void> {
  if (!action) return;
  const [first] = args;
  const recorded = subject?.(...args) ?? (typeof first === 'string' ? first : '');
  const details = { needs: PERMISSIONS[needs], ...(because && { because }) };
  const entry = { actor, action, subject: recorded, instanceId, details };
  await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused' }));
}
