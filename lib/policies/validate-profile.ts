import { AppError } from '@/lib/model/errors';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { validateRegex } from '@/lib/rules/policy/validate-regex';
import { checkProfile } from '@/lib/rules/profiles/check-profile';

/**
 * Checks a profile. Throws `bad_request` with everything that is wrong; returns warnings about what is only unusual.
 */
export async function validateProfile(body: ProfileBody): Promise<{ warnings: string[] }> {
  const { errors, warnings } = checkProfile(body);
  for (const [i, rule] of body.custom.entries()) {
    if (rule.check !== 'regex') continue;
    const problem = await validateRegex(rule.pattern);
    if (problem !== null) errors.push(`custom.${i}.pattern: ${problem}`);
  }
  if (errors.length > 0)
    throw new AppError('bad_request', `The profile is not valid. ${errors.slice(0, 5).join(' ')}`, { issues: errors });
  return { warnings };
}
