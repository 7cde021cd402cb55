import { expect, it } from 'vitest';
import { DELETION_CALLS, SCAN_CALLS, sumServerMicroseconds } from './measure-server-time';

it('adds up what the scan sends, by the names of old and new servers', () => {
  const text = [
    '# Commandstats',
    'cmdstat_scan:calls=10,usec=1000,usec_per_call=100.00,rejected_calls=0,failed_calls=0',
    'cmdstat_object|encoding:calls=5,usec=50,usec_per_call=10.00',
    'cmdstat_memory:calls=5,usec=7,usec_per_call=1.4',
    'cmdstat_memory|stats:calls=5,usec=100000,usec_per_call=1.4',
    'cmdstat_set:calls=5,usec=900000,usec_per_call=1.4',
  ].join('\r\n');
  expect(sumServerMicroseconds(text, SCAN_CALLS)).toBe(1057);
  expect(sumServerMicroseconds('# Commandstats\r\n', SCAN_CALLS)).toBe(0);
  expect(sumServerMicroseconds('', SCAN_CALLS)).toBeNull();
});

it('counts what a script reads once', () => {
  const stats = (lines: string[]) => ['# Commandstats', ...lines, ''].join('\r\n');
  const line = (name: string, usec: number) => `cmdstat_${name}:calls=1,usec=${usec},usec_per_call=1.00`;
  const hdel = line('hdel', 7);
  expect(sumServerMicroseconds(stats([line('eval', 100), line('hscan', 40), hdel]), DELETION_CALLS)).toBe(107);
  expect(sumServerMicroseconds(stats([line('hscan', 40), hdel, line('get', 900)]), DELETION_CALLS)).toBe(47);
});
