import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { isDumped, isElementType, MAX_DUMP_BYTES } from '@/lib/model/deletions/archive';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { Hazard } from '@/lib/model/deletions/deletion-item';
import type { Consent, DeletionMode, DeletionOptions } from '@/lib/model/deletions/plan-request';
import { isCompact } from '@/lib/redis/drain/drain-small';
import { isNamedType } from '@/lib/redis/drain/select-drainer';
import { estimateUnlinkMs } from '@/lib/redis/drain/unlink-cost';
import type { Candidate } from './candidate';
import { IN_USE_SECONDS } from './recent-accesses';
import type { ServerConstraints } from './server-constraints';

const MEBIBYTE = 1024 * 1024;
/** UNLINK frees a string at once, about 0.15 ms per MiB: 64 MiB delay others, 128 MiB require a consent. */
const WARN_STRING_BYTES = 64 * MEBIBYTE;
const CONSENT_STRING_BYTES = 128 * MEBIBYTE;
/**
 * UNLINK frees few large elements at once too. From 5 ms on this is shown, because others notice it; from 10 ms on it
 * requires a consent.
 */
const WARN_UNLINK_MS = 5;
export const CONSENT_UNLINK_MS = 10;
/** Above this size of a reply, which is held in the output buffer of the server, the plan warns. */
const WARN_REPLY_BYTES = 8 * MEBIBYTE;
/** DUMP of this many bytes takes 3 to 8 ms, RESTORE up to 20 ms: others notice it. */
const WARN_DUMP_BYTES = MEBIBYTE / 2;
/** A key that expires within this time may expire before its turn comes. */
const EXPIRES_SOON_MS = 60_000;

interface ModeChoice {
  mode: DeletionMode | null;
  modeReason: CodedMessage | null;
  hazards: Hazard[];
  consents: Consent[];
  /** Why this key cannot be deleted at all; null = it can. */
  excluded: CodedMessage | null;
}

/** Chooses how one key is deleted: in the requested mode, or as its type and its server allow, with the reason. */
export function chooseMode(
  key: Candidate,
  options: DeletionOptions,
  constraints: ServerConstraints,
  now: number,
): ModeChoice {
  const choice: ModeChoice = { mode: options.mode, modeReason: null, hazards: [], consents: [], excluded: null };
  if (key.type === null) choice.hazards.push('unknown_facts');
  if (key.length === null && key.bytes === null) choice.hazards.push('unknown_size');
  const { freeCommand } = constraints.commands;
  const renameRefusal = findRenameRefusal(constraints);
  if (key.type !== null && !isElementType(key.type)) {
    if (!options.moduleTypes.includes(key.type))
      return { ...choice, mode: null, excluded: createCodedMessage('module_type', { type: key.type }) };
    if (freeCommand !== 'unlink') return { ...choice, mode: null, excluded: createCodedMessage('unlink_denied') };
    if (renameRefusal) return { ...choice, mode: null, excluded: createCodedMessage(renameRefusal) };
    choice.mode = 'unlink';
    choice.modeReason = createCodedMessage('module_type', { type: key.type });
    choice.hazards.push('module_type');
    choice.consents.push('module');
  } else if (constraints.rename === 'tombstone' && options.mode !== 'in_place') {
    // A missing permission for a name can be granted, so this does not choose `in_place` automatically; a person may
    // choose it.
    return { ...choice, mode: null, excluded: createCodedMessage('tombstone_denied') };
  } else if (renameRefusal) {
    // A key that is deleted in place cannot be kept for some hours first.
    if (!isNamedType(key.type) || options.mode === 'quarantine')
      return { ...choice, mode: null, excluded: createCodedMessage(renameRefusal) };
    choice.mode = 'in_place';
    choice.modeReason = createCodedMessage(renameRefusal);
  } else if (freeCommand === 'denied') {
    return { ...choice, mode: null, excluded: createCodedMessage('unlink_denied') };
  } else if (options.mode === 'in_place') {
    choice.mode = 'archive';
    choice.modeReason = createCodedMessage('rename_allowed');
  } else if (options.mode === 'quarantine' && constraints.evictsSoon) {
    choice.mode = 'archive';
    choice.modeReason = createCodedMessage('evicts_soon');
  }
  // DEL of a large key would block the server, so its elements are deleted first.
  if (choice.mode === 'unlink' && freeCommand === 'del') {
    choice.mode = 'drain';
    choice.modeReason = createCodedMessage('no_unlink');
  }
  if (choice.mode === 'in_place') choice.consents.push('in_place');
  // A quarantine only delays the deletion: if the mode after it makes no copy, it cannot be undone.
  const finalMode = choice.mode === 'quarantine' ? options.afterQuarantine : choice.mode;
  if (isDumped(key.type) && finalMode === 'archive') {
    const excluded = findDumpRefusal(key, constraints);
    if (excluded) return { ...choice, mode: null, excluded };
    if ((key.bytes ?? 0) >= WARN_DUMP_BYTES) choice.hazards.push('dump_blocks');
  }
  if (finalMode === 'drain' || finalMode === 'unlink') {
    choice.hazards.push('no_copy');
    choice.consents.push('no_undo');
  }
  const stringBytes = key.type === 'string' ? (key.length ?? key.bytes ?? 0) : 0;
  if (stringBytes >= WARN_STRING_BYTES) choice.hazards.push('huge_string');
  if (stringBytes >= CONSENT_STRING_BYTES) choice.consents.push('huge_string');
  // Draining leaves nothing for UNLINK to free, unless the key is one allocation.
  const freedMs =
    key.type !== 'string' && (finalMode === 'unlink' || isFreedAtOnce(key)) ? (estimateUnlinkMs(key) ?? 0) : 0;
  if (freedMs >= WARN_UNLINK_MS) choice.hazards.push('unlink_blocks');
  if (freedMs >= CONSENT_UNLINK_MS) choice.consents.push('unlink_blocks');
  if (finalMode === 'archive' && isReadWhole(key) && (key.bytes ?? 0) > WARN_REPLY_BYTES)
    choice.hazards.push('whole_reply');
  if (key.expireAt !== null && key.expireAt - now < EXPIRES_SOON_MS) {
    choice.hazards.push('expires_soon');
    if (constraints.lazyExpire === false) choice.hazards.push('expiry_blocks');
  }
  if (key.isRead && key.idleSeconds !== null && key.idleSeconds < IN_USE_SECONDS) choice.hazards.push('in_use');
  if (key.type === 'stream') choice.hazards.push('stream_groups');
  return choice;
}

/**
 * Returns the reason why no key can be renamed; null = it can. That of scripts comes first: without them a deletion in
 * place has no deadline.
 */
function findRenameRefusal({ rename, scripts }: ServerConstraints): 'scripts_denied' | 'rename_denied' | null {
  if (!scripts) return 'scripts_denied';
  return rename === 'command' || rename === 'tombstone' ? 'rename_denied' : null;
}

/** Whether the key is freed in one step, whatever the mode. */
const isFreedAtOnce = ({ type, encoding }: Candidate) => isCompact(encoding) || isDumped(type);

/**
 * Returns why a key cannot be archived by DUMP; null = it can. Such a key can still be deleted in a mode without an
 * archive.
 */
function findDumpRefusal({ bytes }: Candidate, { commands }: ServerConstraints): CodedMessage | null {
  if (!commands.dumps) return createCodedMessage('dump_denied');
  return bytes === null || bytes > MAX_DUMP_BYTES ? createCodedMessage('dump_too_large') : null;
}

/**
 * Whether the key is read in one reply: members of a compact set have no positions, and fields that expire would shift
 * the positions of the others.
 */
const isReadWhole = ({ type, encoding }: Candidate) =>
  encoding === 'listpackex' || (type === 'set' && isCompact(encoding));
