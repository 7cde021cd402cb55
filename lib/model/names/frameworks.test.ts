import { expect, it } from 'vitest';
import { FRAMEWORKS } from './frameworks';

it('names each framework once, with documentation and a form that proves it', () => {
  const ids = FRAMEWORKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, name, url, forms, violates } of FRAMEWORKS) {
    expect(id).toMatch(/^[a-z-]+$/);
    expect(name).not.toBe('');
    expect(new URL(url).protocol, id).toBe('https:');
    expect(
      forms.some(({ weak }) => weak !== true),
      id,
    ).toBe(true);
    expect(violates.length, id).toBeGreaterThan(0);
  }
});

it('has patterns whose first group is the beginning of a name, with a word that no other program uses alone', () => {
  for (const { id, forms } of FRAMEWORKS)
    for (const { pattern, whole, weak, types } of forms) {
      // Only group 1 captures. RE2 knows no look-around and no back-reference.
      expect(pattern, id).toMatch(/^\(/);
      expect(new RegExp(`${pattern}|`).exec('')!.length, `${id}: ${pattern}`).toBe(2);
      expect(pattern, id).not.toMatch(/\(\?[=!<]|\\[1-9]/);
      if (whole) expect(pattern, id).toMatch(/\)\$$/);
      if (weak) expect(types !== undefined || pattern.length > 10, `${id}: ${pattern}`).toBe(true);
    }
});
