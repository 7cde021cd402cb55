import type { SplitAdvice } from '@/lib/model/findings';
import { bucketsFor, severityOf } from '@/lib/rules/bucket-advice';
import { ruleById } from '@/lib/rules/catalogue';
import type { CompiledProfile } from './compile-policy';

/** What the thresholds of a profile say of one key: how far above it is, and into how many it should be split. */
const MEASURED: readonly (string | null)[] = ['string', 'hash', 'list', 'set', 'zset'];

export function splitAdvice(
  profile: Pick<CompiledProfile, 'keyRules'>,
  row: { type?: string | null; length?: number | null; bytes?: number | null },
): SplitAdvice | null {
  const limits = { stringBytes: threshold(profile, 'V1', 'bytes'), elements: threshold(profile, 'V3', 'elements') };
  const [type, length, bytes] = [row.type ?? null, row.length ?? null, row.bytes ?? null];
  if (!MEASURED.includes(type)) return null;
  const severity = severityOf(type, length, bytes, limits);
  const buckets = bucketsFor(type, length, bytes, limits);
  if (severity === null || buckets === null) return null;
  const isString = type === 'string';
  const times = isString ? (length ?? bytes)! / limits.stringBytes : length! / limits.elements;
  return { severity, times, buckets, of: isString ? 'bytes' : 'elements' };
}

/** Where the rule is off, the catalogue's number. */
function threshold(profile: Pick<CompiledProfile, 'keyRules'>, id: string, name: string): number {
  const own = profile.keyRules.find((rule) => rule.id === id)?.params[name];
  return Math.max(1, Number(own ?? ruleById.get(id)!.params[name]!.default));
}
