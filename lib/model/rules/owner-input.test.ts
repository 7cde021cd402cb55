import { expect, it } from 'vitest';
import { OwnerInput } from './policy';

it('no team is called as filters call nobody', () => {
  const reported = (team: string) => OwnerInput.safeParse({ instanceId: null, prefix: 'a:', team });
  expect(reported('-').error?.issues[0]?.message).toContain('Enter its name');
  expect(reported(' - ').success).toBe(false);
  expect(reported('--').data?.team).toBe('--');
  expect(reported('a-b').success).toBe(true);
});
