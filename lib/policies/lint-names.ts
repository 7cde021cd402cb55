import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { validateProfile } from './validate-profile';

/**
 * Checks names against the naming rules of a profile, without a Redis server. Returns the results in the order of the
 * names. Errors: `bad_request` (profile).
 */
export async function lintNames(
  body: ProfileBody,
  names: readonly { name: string; type: string | null; raw?: Uint8Array }[],
): Promise<KeyVerdict[]> {
  await validateProfile(body);
  return checkRows(
    toPolicy(body),
    names.map(({ name, type, raw }) => ({ name, type, ...(raw && { raw }) })),
    { nameOnly: true },
  );
}
