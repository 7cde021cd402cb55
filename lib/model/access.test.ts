import { expect, it } from 'vitest';
import { getRoleOn, may } from './access';

const staging = { id: 'i1', tags: ['shop', 'eu'], environment: 'staging' };
const production = { id: 'i2', tags: ['shop'], environment: 'production' };

it('a grant raises the role where it holds, and nowhere else', () => {
  const person = {
    role: 'none' as const,
    grants: [
      { kind: 'environment' as const, value: 'staging', role: 'operator' as const },
      { kind: 'tag' as const, value: 'shop', role: 'viewer' as const },
    ],
  };
  expect(getRoleOn(person, staging)).toBe('operator');
  expect(getRoleOn(person, production)).toBe('viewer');
  expect(getRoleOn(person, { id: 'i3', tags: [], environment: '' })).toBe('none');
  expect(may(person, 'deletion.run', staging)).toBe(true);
  expect(may(person, 'deletion.run', production)).toBe(false);
  // Without an instance, only the person's own role counts.
  expect(may(person, 'instance.read')).toBe(false);
});

it('a grant lowers nothing, and an id is not a tag', () => {
  const admin = {
    role: 'admin' as const,
    grants: [{ kind: 'instance' as const, value: 'i2', role: 'viewer' as const }],
  };
  expect(getRoleOn(admin, production)).toBe('admin');
  const tagged = { role: 'none' as const, grants: [{ kind: 'tag' as const, value: 'i2', role: 'admin' as const }] };
  expect(getRoleOn(tagged, production)).toBe('none');
});
