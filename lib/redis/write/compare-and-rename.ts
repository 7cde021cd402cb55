/**
 * Compare-and-rename: a script renames a key to its tombstone only if it is still what was approved. The script has no
 * shebang, so that it also runs on a server that is out of memory, and it uses RENAMENX, so an existing name is never
 * overwritten. A command may arrive long after Colonnade gave up on it, because a proxy held it or this process was
 * blocked; therefore the script does nothing after a deadline by the server's clock, except before 3.2
 * (`haveScriptsDeadlines`). A lost reply is thrown as `unknown_outcome`; `checkBothNames` then finds the outcome.
 */

import { LAST_MOMENT, toExpiryMoment } from '@/lib/redis/keys/expiry-moment';
import { isSizedType, LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { LUA_NO_CLOCK, LUA_NOW } from './server-time';
import type { Args, WritingChannel } from './types';
import { scriptDenied, WriteFailure } from './write-failure';

export interface RenameRequest {
  name: Buffer;
  tombstone: Buffer;
  type: string;
  /** null = it could not be counted: neither read nor compared. */
  length: number | null;
  /** The length may differ by this many percent, but always by one element. */
  tolerancePercent: number;
  /** A key whose MEMORY USAGE is above this counts as changed; null = neither read nor compared. */
  maxBytes: number | null;
  /** Epoch ms by the server's clock. */
  deadline: number;
}

export interface RenameOutcome {
  /** taken: the tombstone already exists · late: the deadline had passed, nothing was done. */
  outcome: 'renamed' | 'changed' | 'vanished' | 'taken' | 'late';
  /** Values at the time of the rename; null = not read. */
  length: number | null;
  /** Epoch ms by the server's clock; null = no expiry, or not read. */
  expireAt: number | null;
}

const SCRIPT = `${LUA_NOW}local deadline = tonumber(ARGV[6])
local clock = now(deadline)
if not clock then ${LUA_NO_CLOCK} end
if clock > deadline then return {'late', -1, -1} end
local t = redis.call('TYPE', KEYS[1])
if type(t) == 'table' then t = t['ok'] end
if t == 'none' then return {'vanished', -1, -1} end
if t ~= ARGV[1] then return {'changed', -1, -1} end
local n = -1
if ARGV[2] ~= '' then
  n = redis.call(ARGV[2], KEYS[1])
  if ARGV[3] ~= '' and (n < tonumber(ARGV[3]) or n > tonumber(ARGV[4])) then return {'changed', n, -1} end
end
if ARGV[5] ~= '' then
  local m = redis.pcall('MEMORY', 'USAGE', KEYS[1])
  if type(m) == 'number' and m > tonumber(ARGV[5]) then return {'changed', n, -1} end
end
local p = redis.pcall('PTTL', KEYS[1])
local e = -2
if type(p) ~= 'number' or p >= 0 then
  e = redis.pcall('PEXPIRETIME', KEYS[1])
  if type(e) ~= 'number' then
    if type(p) ~= 'number' then return p end
    e = clock + p
  end
  e = math.min(e, ${LAST_MOMENT})
end
if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then return {'taken', n, e} end
local q = redis.pcall('PERSIST', KEYS[2])
if type(q) == 'table' and q['err'] then
  redis.call('RENAMENX', KEYS[2], KEYS[1])
  return q
end
return {'renamed', n, e}`;

const chooseLengthCommand = ({ type, length }: RenameRequest) =>
  length !== null && isSizedType(type) ? LENGTH_COMMANDS[type] : '';

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

const buildEvalArgs = (request: RenameRequest): Args => [
  'EVAL',
  SCRIPT,
  '2',
  request.name,
  request.tombstone,
  request.type,
  chooseLengthCommand(request),
  ...formatBounds(request),
  request.maxBytes === null ? '' : String(Math.floor(request.maxBytes)),
  String(request.deadline),
];

/** Errors: WriteFailure, with the code of `scriptDenied` when the user may not run it. */
export async function compareAndRename(channel: WritingChannel, request: RenameRequest): Promise<RenameOutcome> {
  const [outcome] = await compareAndRenameAll(channel, [request]);
  return outcome!;
}

/** Renames many small keys in one write. Throws the first refusal; the other keys may have been renamed then. */
export async function compareAndRenameAll(
  channel: WritingChannel,
  all: readonly RenameRequest[],
): Promise<RenameOutcome[]> {
  return (await channel.callAll(all.map(buildEvalArgs))).map((reply) => {
    if (reply instanceof Error) throw scriptDenied(reply);
    return parseOutcome(reply);
  });
}

const OUTCOMES = new Set(['renamed', 'changed', 'vanished', 'taken', 'late']);

function parseOutcome(reply: Reply): RenameOutcome {
  const [outcome, length, expireAt] = Array.isArray(reply) ? reply : [];
  const word = Buffer.isBuffer(outcome) ? outcome.toString('latin1') : '';
  if (!OUTCOMES.has(word)) throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to a rename.');
  const moment = toExpiryMoment(expireAt);
  return {
    outcome: word as RenameOutcome['outcome'],
    length: typeof length === 'number' && length >= 0 ? length : null,
    expireAt: moment !== null && moment >= 0 ? moment : null,
  };
}
