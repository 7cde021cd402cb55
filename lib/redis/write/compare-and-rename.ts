import { parseServerTime, readTimeByInfo } from '@/lib/redis/info/server-clock';
import { LAST_MOMENT, toExpiryMoment } from '@/lib/redis/keys/expiry-moment';
import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import { renameNx } from './rename-nx';
import { LUA_NO_CLOCK, LUA_NOW } from './server-time';
import { transact } from './transact';
import type { Args, WritingChannel } from './types';
import { toWriteFailure, WriteFailure } from './write-failure';

/**
 * Compare-and-rename: a key is renamed to its tombstone only if it is still what was approved. It uses the first of
 * these forms that the server permits: a script (without a shebang, so that it also runs on a server that is out of
 * memory); WATCH and MULTI; RENAMENX with a comparison before and after. It always uses RENAMENX, so an existing name
 * is never overwritten. A lost reply is thrown as `unknown_outcome`; `checkBothNames` then finds the outcome.
 *
 * A command may arrive long after Colonnade gave up on it, because a proxy held it or this process was blocked. The
 * script therefore has a deadline by the server's clock, and a watched key that another client wrote meanwhile is not
 * renamed. The last form has neither protection, so `unguarded` is called before it is sent.
 */
export interface RenameRequest {
  name: Buffer;
  tombstone: Buffer;
  type: string;
  /** null = it could not be counted: neither read nor compared. */
  length: number | null;
  tolerancePercent: number;
  /** A key whose MEMORY USAGE is above this counts as changed; null = neither read nor compared. */
  maxBytes: number | null;
  /** Epoch ms by the server's clock; null = the clock is not known, and no script may be sent. */
  deadline: number | null;
  /** Awaited before a rename is sent that may be carried out at any later time. */
  unguarded?(): Promise<void>;
}

export interface RenameOutcome {
  /** taken: the tombstone already exists · late: the deadline had passed, nothing was done. */
  outcome: 'renamed' | 'changed' | 'vanished' | 'taken' | 'late';
  /** Values at the time of the rename; null = not read. */
  length: number | null;
  expireAt: number | null;
  form: 'eval' | 'watch' | 'plain';
}

const SCRIPT = `${LUA_NOW}local clock = now()
if not clock then ${LUA_NO_CLOCK} end
if clock > tonumber(ARGV[6]) then return {'late', -1, -1, -1} end
local t = redis.call('TYPE', KEYS[1])
if type(t) == 'table' then t = t['ok'] end
if t == 'none' then return {'vanished', -1, -1, -1} end
if t ~= ARGV[1] then return {'changed', -1, -1, -1} end
local n = -1
if ARGV[2] ~= '' then
  n = redis.call(ARGV[2], KEYS[1])
  if ARGV[3] ~= '' and (n < tonumber(ARGV[3]) or n > tonumber(ARGV[4])) then return {'changed', n, -1, -1} end
end
if ARGV[5] ~= '' then
  local m = redis.pcall('MEMORY', 'USAGE', KEYS[1])
  if type(m) == 'number' and m > tonumber(ARGV[5]) then return {'changed', n, -1, -1} end
end
local p = redis.call('PTTL', KEYS[1])
local e = -2
if p >= 0 then
  local r = redis.pcall('PEXPIRETIME', KEYS[1])
  if type(r) == 'number' then e = r else e = clock + p end
  p = math.min(p, ${LAST_MOMENT})
  e = math.min(e, ${LAST_MOMENT})
end
if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then return {'taken', n, p, e} end
local q = redis.pcall('PERSIST', KEYS[2])
if type(q) == 'table' and q['err'] then
  redis.call('RENAMENX', KEYS[2], KEYS[1])
  return q
end
return {'renamed', n, p, e}`;

const COMMAND: Record<string, string> = LENGTH_COMMANDS;
const chooseLengthCommand = ({ type, length }: RenameRequest) =>
  length !== null && isSizedType(type) ? (COMMAND[type] ?? '') : '';

/** Returns the least and the most elements with which the key still counts as unchanged. */
export function computeLengthBounds(length: number, tolerancePercent: number): [number, number] {
  const allowed = Math.max(1, (length * tolerancePercent) / 100);
  return [Math.floor(length - allowed), Math.ceil(length + allowed)];
}

function formatBounds({ length, tolerancePercent }: RenameRequest): [string, string] {
  if (length === null) return ['', ''];
  const [min, max] = computeLengthBounds(length, tolerancePercent);
  return [String(min), String(max)];
}

const buildEvalArgs = (request: RenameRequest, deadline: number): Args => [
  'EVAL',
  SCRIPT,
  '2',
  request.name,
  request.tombstone,
  request.type,
  chooseLengthCommand(request),
  ...formatBounds(request),
  request.maxBytes === null ? '' : String(Math.floor(request.maxBytes)),
  String(deadline),
];

const mayTryNextForm = (error: unknown): error is WriteFailure =>
  error instanceof WriteFailure && (error.kind === 'denied' || error.kind === 'out_of_memory');

export async function compareAndRename(channel: WritingChannel, request: RenameRequest): Promise<RenameOutcome> {
  try {
    if (request.deadline !== null) return parseOutcome(await channel.call(buildEvalArgs(request, request.deadline)));
  } catch (error) {
    if (!mayTryNextForm(error)) throw error;
  }
  try {
    return await renameByWatch(channel, request);
  } catch (error) {
    if (!mayTryNextForm(error)) throw error;
  }
  return renameUnguarded(channel, request);
}

/** Renames many small keys in one write; if scripts are denied, one after the other. */
export async function compareAndRenameAll(
  channel: WritingChannel,
  all: readonly RenameRequest[],
): Promise<RenameOutcome[]> {
  const timed = all.flatMap((request) =>
    request.deadline === null ? [] : [{ away: request, deadline: request.deadline }],
  );
  const replies = await channel.callAll(timed.map(({ away: request, deadline }) => buildEvalArgs(request, deadline)));
  const answers = new Map(timed.map(({ away: request }, index) => [request, replies[index]]));
  const outcomes: RenameOutcome[] = [];
  for (const request of all) {
    const reply = answers.get(request);
    if (reply === undefined || mayTryNextForm(reply)) outcomes.push(await compareAndRename(channel, request));
    else if (reply instanceof Error) throw reply;
    else outcomes.push(parseOutcome(reply));
  }
  return outcomes;
}

const OUTCOMES = new Set(['renamed', 'changed', 'vanished', 'taken', 'late']);

function parseOutcome(reply: Reply): RenameOutcome {
  const [outcome, length, pttl, expireAt] = Array.isArray(reply) ? reply : [];
  const word = Buffer.isBuffer(outcome) ? outcome.toString('latin1') : '';
  if (!OUTCOMES.has(word)) throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to a rename.');
  return { outcome: word as RenameOutcome['outcome'], ...toFacts(length, pttl, expireAt, null), form: 'eval' };
}

function toFacts(
  length: Reply | undefined,
  pttl: Reply | undefined,
  expireAt: Reply | undefined,
  clock: number | null,
) {
  const [moment, rest] = [toExpiryMoment(expireAt), toExpiryMoment(pttl)];
  const exact = moment !== null && moment >= 0 ? moment : null;
  const about = rest !== null && rest >= 0 ? Math.min((clock ?? Date.now()) + rest, LAST_MOMENT) : null;
  return { length: typeof length === 'number' && length >= 0 ? length : null, expireAt: exact ?? about };
}

/** Compares the present key with what was approved. */
async function compare(channel: WritingChannel, request: RenameRequest) {
  const command = chooseLengthCommand(request);
  const [type, pttl, expireAt, time, memory] = await channel.callAll([
    ['TYPE', request.name],
    ['PTTL', request.name],
    ['PEXPIRETIME', request.name],
    ['TIME'],
    ...(request.maxBytes === null ? [] : [['MEMORY', 'USAGE', request.name]]),
  ]);
  if (type instanceof Error) throw type;
  // An unknown expiry is not the same as none: the rename removes the expiry, and it could not be set again.
  if (pttl instanceof Error && expireAt instanceof Error) throw pttl;
  const word = Buffer.isBuffer(type) ? type.toString('latin1') : '';
  if (word === 'none') return { differs: 'vanished' as const, length: null, expireAt: null };
  if (word !== request.type) return { differs: 'changed' as const, length: null, expireAt: null };
  const length = command === '' ? null : await channel.call([command, request.name]);
  // The clock is needed only if the expiry is known merely as the remaining time.
  const about = expireAt instanceof Error && typeof pttl === 'number' && pttl >= 0;
  const clock = about ? (parseServerTime(time) ?? (await readTimeByInfo(channel))) : null;
  const known = toFacts(length ?? undefined, pttl as Reply, expireAt as Reply, clock);
  const [min, max] = formatBounds(request);
  const outside = min !== '' && known.length !== null && (known.length < Number(min) || known.length > Number(max));
  const grown = request.maxBytes !== null && typeof memory === 'number' && memory > request.maxBytes;
  return { differs: outside || grown ? ('changed' as const) : null, ...known };
}

async function renameByWatch(channel: WritingChannel, request: RenameRequest): Promise<RenameOutcome> {
  await channel.call(['WATCH', request.name, request.tombstone]);
  const found = await compare(channel, request).catch(async (error) => {
    await channel.call(['UNWATCH']);
    throw error;
  });
  if (found.differs) {
    await channel.call(['UNWATCH']);
    return { outcome: found.differs, length: found.length, expireAt: null, form: 'watch' };
  }
  const done = await transact(channel, [
    ['RENAMENX', request.name, request.tombstone],
    ['PERSIST', request.tombstone],
  ]);
  const shared = { length: found.length, expireAt: found.expireAt, form: 'watch' as const };
  // Another client wrote one of the keys between the comparison and the rename.
  if (done === null) return { outcome: 'changed', ...shared };
  const [moved, persisted] = done;
  // One command was refused within the transaction; the others were carried out nevertheless.
  if (moved instanceof RedisReplyError) throw toWriteFailure(moved);
  if (moved !== 1) return { outcome: 'taken', ...shared };
  if (persisted instanceof RedisReplyError) {
    await renameToOriginal(channel, request);
    throw toWriteFailure(persisted);
  }
  return { outcome: 'renamed', ...shared };
}

/**
 * Without script or transaction the key may change after the comparison, so it is compared again under the new name.
 */
async function renameUnguarded(channel: WritingChannel, request: RenameRequest): Promise<RenameOutcome> {
  const found = await compare(channel, request);
  const shared = { length: found.length, expireAt: found.expireAt, form: 'plain' as const };
  if (found.differs) return { outcome: found.differs, ...shared };
  await request.unguarded?.();
  const renamed = await renameNx(channel, request.name, request.tombstone);
  if (renamed !== 'renamed') return { outcome: renamed === 'recreated' ? 'taken' : 'vanished', ...shared };
  const after = await compare(channel, { ...request, name: request.tombstone });
  if (after.differs === 'vanished') return { outcome: 'vanished', ...shared };
  if (after.differs) {
    await renameToOriginal(channel, request);
    return { outcome: 'changed', ...shared };
  }
  await channel.call(['PERSIST', request.tombstone]);
  return { outcome: 'renamed', length: after.length, expireAt: after.expireAt, form: 'plain' };
}

/**
 * Undoes a rename that should not have happened. If the original name is taken meanwhile, the key stays, and this
 * throws.
 */
async function renameToOriginal(channel: WritingChannel, request: RenameRequest): Promise<void> {
  if ((await renameNx(channel, request.tombstone, request.name)) === 'recreated')
    throw new WriteFailure('wrong_type', 'TAKEN', 'The original name of a renamed key is taken.');
}
