import { checkRows } from '@/lib/findings/evaluate/check-rows';
import { policyOf } from '@/lib/findings/policy/effective-policy';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { acceptProfile } from './accept-profile';

/** Names against the naming rules of a profile, in their order, without any Redis. Errors: `bad_request` (profile). */
export async function lintNames(
  body: ProfileBody,
  names: readonly { name: string; type: string | null; raw?: Uint8Array }[],
): Promise<KeyVerdict[]> {
  await acceptProfile(body);
  return checkRows(
    policyOf(body),
    names.map(({ name, type, raw }) => ({ name, type, ...(raw && { raw }) })),
    { nameOnly: true },
  );
}
