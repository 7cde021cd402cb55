import type { ProfileBody } from '@/lib/model/rules/policy';
import { openProfile } from '@/lib/policies/open-profile';
import { safe } from './units';

/**
 * The profile that `--profile` names, or the default one. Warnings about a file are written to stderr and stop nothing.
 */
export async function openChosenProfile(name = 'default'): Promise<ProfileBody> {
  const { body, warnings } = await openProfile(name);
  for (const warning of warnings) process.stderr.write(`colonnade: ${safe(name)}: ${safe(warning)}\n`);
  return body;
}
