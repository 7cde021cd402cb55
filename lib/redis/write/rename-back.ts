import { readServerTime } from '@/lib/redis/info/server-clock';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { hasKey } from './has-key';
import { renameNx } from './rename-nx';
import { IN_TIME_MS, LUA_NO_CLOCK, LUA_NOW } from './server-time';
import type { Args, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

export interface RenameBackRequest {
  /** The internal name: a tombstone, or a key that was rebuilt. */
  tombstone: Buffer;
  name: Buffer;
  /** Epoch ms by the server's clock; null = no expiry. */
  expireAt: number | null;
}
/** expired: the expiry has passed, and setting it would delete the key; nothing was done. */
export type RenameBackOutcome = 'renamed' | 'recreated' | 'vanished' | 'expired';

/**
 * Awaited before each attempt, with the epoch ms after which it can no longer be carried out; null = there is no such
 * limit.
 */
export type BeforeRenameBack = (deadline: number | null) => Promise<void>;

const SCRIPT = `${LUA_NOW}local deadline = tonumber(ARGV[1])
local clock, latest = now(deadline)
if not clock then ${LUA_NO_CLOCK} end
if clock > deadline then return 'late' end
if redis.call('EXISTS', KEYS[1]) == 0 then return 'vanished' end
if ARGV[2] ~= '' and tonumber(ARGV[2]) <= latest then return 'expired' end
if redis.call('EXISTS', KEYS[2]) == 1 then return 'recreated' end
if ARGV[2] ~= '' then
  local e = redis.pcall('PEXPIREAT', KEYS[1], ARGV[2])
  if type(e) == 'table' and e['err'] then return e end
end
local r = redis.pcall('RENAMENX', KEYS[1], KEYS[2])
if r == 1 then return 'renamed' end
if ARGV[2] ~= '' then redis.call('PERSIST', KEYS[1]) end
if type(r) == 'table' and r['err'] then return r end
return 'recreated'`;

const buildEvalArgs = ({ tombstone, name, expireAt }: RenameBackRequest, deadline: number): Args => [
  'EVAL',
  SCRIPT,
  '2',
  tombstone,
  name,
  String(deadline),
  expireAt === null ? '' : String(expireAt),
];

/** How often the script is sent again if it arrived after its deadline. */
const ATTEMPTS = 3;

/**
 * Renames a key to its original name, with its expiry, unless that name is taken: nothing is overwritten. The expiry is
 * compared with the server's clock in the step that sets it, because an expiry in the past would delete the key that is
 * being restored. A script that arrives late does nothing. A key whose rights have changed since it was renamed is
 * restored by RENAMENX alone, which never overwrites a name either.
 */
export async function renameBack(
  channel: WritingChannel,
  back: RenameBackRequest,
  before: BeforeRenameBack = async () => {},
): Promise<RenameBackOutcome> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [outcome] = await renameBackAll(channel, [back], before);
    if (outcome instanceof Error) throw outcome;
    if (outcome !== undefined && outcome !== 'late') return outcome;
  }
  throw new WriteFailure('transient', 'LATE', 'The server is too slow: what was sent arrived late each time.');
}

/** Renames many keys of one node and database in one write. A key that is denied has the WriteFailure as its result. */
export async function renameBackAll(
  channel: WritingChannel,
  all: readonly RenameBackRequest[],
  before: BeforeRenameBack = async () => {},
): Promise<(RenameBackOutcome | 'late' | WriteFailure)[]> {
  const clock = await readServerTime(channel);
  const outcomes: (RenameBackOutcome | 'late' | WriteFailure)[] = [];
  if (clock === null) {
    for (const back of all) outcomes.push(await renameWithoutScript(channel, back, before));
    return outcomes;
  }
  const deadline = clock + IN_TIME_MS;
  await before(deadline);
  const replies = await channel.callAll(all.map((back) => buildEvalArgs(back, deadline)));
  for (const [index, back] of all.entries()) outcomes.push(await toOutcome(channel, back, replies[index], before));
  return outcomes;
}

/** Where the script is denied, the key is renamed without it. */
async function toOutcome(
  channel: WritingChannel,
  back: RenameBackRequest,
  reply: Reply | Error | undefined,
  before: BeforeRenameBack,
) {
  if (Buffer.isBuffer(reply)) return reply.toString('latin1') as RenameBackOutcome | 'late';
  if (!(reply instanceof WriteFailure))
    throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to a rename.');
  if (reply.kind !== 'denied') throw reply;
  return renameWithoutScript(channel, back, before);
}

/** Returns the WriteFailure if the key is denied to this user. */
async function renameWithoutScript(
  channel: WritingChannel,
  back: RenameBackRequest,
  before: BeforeRenameBack,
): Promise<RenameBackOutcome | WriteFailure> {
  try {
    await before(null);
    return await renameBackUnguarded(channel, back);
  } catch (error) {
    if (error instanceof WriteFailure && error.kind === 'denied') return error;
    throw error;
  }
}

/** Returns why the key cannot be renamed now; null = it can. */
async function findObstacle(
  channel: WritingChannel,
  { tombstone, name, expireAt }: RenameBackRequest,
): Promise<RenameBackOutcome | null> {
  if (!(await hasKey(channel, tombstone))) return 'vanished';
  if (await hasKey(channel, name)) return 'recreated';
  if (expireAt === null) return null;
  const clock = await readServerTime(channel);
  // Without the clock the expiry cannot be checked, so it is not set.
  if (clock === null) throw new WriteFailure('denied', 'TIME', 'The clock of the server may not be read.');
  return expireAt <= clock + IN_TIME_MS ? 'expired' : null;
}

/** Without a script the expiry is set first, so that nobody can read the key without it. */
async function renameBackUnguarded(channel: WritingChannel, back: RenameBackRequest): Promise<RenameBackOutcome> {
  const { tombstone, name, expireAt } = back;
  const obstacle = await findObstacle(channel, back);
  if (obstacle !== null) return obstacle;
  if (expireAt !== null) await channel.call(['PEXPIREAT', tombstone, String(expireAt)]);
  const outcome = await renameNx(channel, tombstone, name);
  // The key keeps its internal name, and internal keys must not expire on their own.
  if (outcome === 'recreated' && expireAt !== null) await channel.call(['PERSIST', tombstone]);
  return outcome;
}
