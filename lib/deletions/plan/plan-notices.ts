import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { isDumped } from '@/lib/model/deletions/archive';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { DeletionMode, DeletionTask } from '@/lib/model/deletions/plan-request';
import { append } from '@/lib/model/text/append';
import type { ServerConstraints } from './server-constraints';

/** The commands that will be sent to keys of these types, in their order; <…> marks what varies. */
const COMMANDS_BY_TYPE: Record<string, string[]> = {
  hash: ['HSCAN <tombstone> <cursor> COUNT <n>', 'HDEL <tombstone> <fields read>'],
  set: ['SSCAN <tombstone> <cursor> COUNT <n>', 'SREM <tombstone> <members read>'],
  zset: ['ZRANGE <tombstone> <from> <to> WITHSCORES', 'ZREMRANGEBYRANK <tombstone> <from> <to>'],
  list: ['LRANGE <tombstone> <from> <to>', 'LTRIM <tombstone> 0 <from - 1>'],
  string: ['GETRANGE <tombstone> <from> <to>'],
  stream: ['XINFO GROUPS <tombstone>', 'XRANGE <tombstone> <id> + COUNT <n>', 'XTRIM <tombstone> MINID <next id>'],
  vectorset: ['DUMP <tombstone>'],
  array: ['DUMP <tombstone>'],
};

/** Before 6.2 a stream can be trimmed by number only, and a trim that is carried out twice deletes more. */
const STREAM_COMMANDS_BY_ID = [
  'XINFO GROUPS <tombstone>',
  'XRANGE <tombstone> <id> + COUNT <n>',
  'XDEL <tombstone> <ids read>',
];

const COMMANDS_IN_PLACE: Record<string, [read: string, remove: string]> = {
  hash: ['HSCAN <key> <cursor> COUNT <n>', 'HDEL <key> <fields read>'],
  set: ['SSCAN <key> <cursor> COUNT <n>', 'SREM <key> <members read>'],
  zset: ['ZSCAN <key> <cursor> COUNT <n>', 'ZREM <key> <members read>'],
};

function listCommandsInPlace(type: string, scripts: boolean): string[] | undefined {
  const [read, remove] = COMMANDS_IN_PLACE[type] ?? [];
  if (!read || !remove) return undefined;
  return [read, scripts ? `EVAL "if its deadline has not passed, ${remove}"` : remove];
}

/** Lists only commands that the server has: older ones get fewer commands, or others. */
export function listPlanCommands(
  task: DeletionTask,
  modes: ReadonlySet<DeletionMode>,
  types: ReadonlySet<string>,
  { commands: supported, scripts }: Pick<ServerConstraints, 'commands' | 'scripts'>,
): string[] {
  const factCommands = [
    ...(supported.memoryUsage ? ['MEMORY USAGE <key>'] : []),
    'TYPE <key>',
    supported.pexpiretime ? 'PEXPIRETIME <key>' : 'PTTL <key>',
  ];
  if (task === 'expire') return [...factCommands, 'EVAL "compare, then PEXPIREAT" 1 <key> <expiry seen> <expiry>'];
  const commands = [...factCommands, 'OBJECT ENCODING <key>'];
  const hasInPlace = modes.has('in_place');
  const readsElements = [...modes].some((mode) => mode !== 'unlink');
  if (!hasInPlace || modes.size > 1)
    commands.push('EVAL "compare type and length, then RENAMENX <key> <tombstone>, PERSIST <tombstone>"');
  if (readsElements && scripts && [...types].some((type) => type !== 'string' && !isDumped(type)))
    commands.push('EVAL "read one element after the other while they fit into the reply"');
  if (readsElements)
    for (const type of types) {
      const steps = type === 'stream' && !supported.trimsById ? STREAM_COMMANDS_BY_ID : COMMANDS_BY_TYPE[type];
      append(commands, (hasInPlace ? listCommandsInPlace(type, scripts) : undefined) ?? steps ?? []);
    }
  if (!hasInPlace || modes.size > 1)
    commands.push(supported.freeCommand === 'unlink' ? 'UNLINK <tombstone>' : 'DEL <tombstone, emptied or small>');
  return commands;
}

/** Lists what clients will notice, in the order in which they will. */
export function listPlanNotices(
  task: DeletionTask,
  modes: ReadonlySet<DeletionMode>,
  types: ReadonlySet<string>,
  constraints: ServerConstraints,
): CodedMessage[] {
  const deadlineNotices = constraints.scripts && !constraints.deadlines ? [createCodedMessage('no_deadlines')] : [];
  if (task === 'expire')
    return [createCodedMessage('expiry_events'), createCodedMessage('expiry_watch'), ...deadlineNotices];
  const notices = [createCodedMessage(modes.has('in_place') ? 'shrinks' : 'gone_at_once')];
  if (!modes.has('in_place')) notices.push(createCodedMessage('rename_events'), createCodedMessage('watch_fails'));
  if (modes.has('in_place') && constraints.rename === 'command') notices.push(createCodedMessage('grant_rename'));
  if (modes.has('in_place') && !constraints.scripts) notices.push(createCodedMessage('grant_scripts'));
  if (constraints.rename === 'unknown') notices.push(createCodedMessage('rename_unknown'));
  append(notices, deadlineNotices);
  if (types.has('list') || types.has('zset') || types.has('stream'))
    notices.push(createCodedMessage('blocked_clients'));
  if (types.has('stream')) notices.push(createCodedMessage('stream_readers'));
  if (constraints.replicas) notices.push(createCodedMessage('replicas', { replicas: constraints.replicas }));
  if (constraints.replicas === null) notices.push(createCodedMessage('replicas_unknown'));
  return notices;
}
