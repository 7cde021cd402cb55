import { expect, it } from 'vitest';
import { formatAuditVerdict } from './audit-verdict';

it('says what of the log is gone and what nobody can check', () => {
  const whole = { ok: true, rows: 12, firstBad: null, cutUpTo: 0 };
  expect(formatAuditVerdict(whole)).toBe('The audit log is intact: 12 rows.');
  expect(formatAuditVerdict({ ...whole, cutUpTo: 4, unchecked: [{ from: 5, upTo: 9, key: '1a2b3c4d' }] })).toBe(
    'The audit log is intact: 12 rows. Rows up to 4 were removed by retention. Rows 5 to 9 cannot be checked: the key 1a2b3c4d, which signed them, was given up as lost (keys.lost).',
  );
});
