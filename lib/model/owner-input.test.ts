import { expect, it } from 'vitest';
import { OwnerInput } from './policy';

it('no team is called as filters call nobody', () => {
  const told = (team: string) => OwnerInput.safeParse({ instanceId: null, prefix: 'a:', team });
  expect(told('-').error?.issues[0]?.message).toContain('Write its name');
  expect(told(' - ').success).toBe(false);
  expect(told('--').data?.team).toBe('--');
  expect(told('a-b').success).toBe(true);
});
