import type { ProfileBody } from '@/lib/model/rules/policy';
import { openProfile } from '@/lib/policies/open-profile';
import { safe } from './units';

/**
 * What `--profile` names, the default one where it is absent. What is odd about a file is reported on stderr and stops
 * nothing.
 */
export async function chosenProfile(name = 'default'): Promise<ProfileBody> {
  const { body, warnings } = await openProfile(name);
  for (const warning of warnings) process.stderr.write(`colonnade: ${safe(name)}: ${safe(warning)}\n`);
  return body;
}
