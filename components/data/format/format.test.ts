import { describe, expect, it } from 'vitest';
import { formatBytes, formatShare } from '@/lib/model/text/format-figures';
import { createFormat, formatMs } from './use-format';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [912, '912 B'],
    [1000, '0.98 KiB'],
    [1024, '1.00 KiB'],
    [1_300_000, '1.24 MiB'],
    [15_728_640, '15.0 MiB'],
    [536_870_912, '512 MiB'],
    [1_047_527_424, '999 MiB'],
    [1_048_051_712, '0.98 GiB'],
  ])('%d → %s', (bytes, text) => expect(formatBytes(bytes, 'en')).toBe(text));
});

describe('formatMs', () => {
  it.each([
    [0, '0 ms'],
    [0.0015, '1.5 µs'],
    [0.345, '0.35 ms'],
    [820, '820 ms'],
    [4200, '4.2 s'],
    [59_900, '60 s'],
    [192_000, '3 m 12 s'],
    [3_599_900, '60 m'],
    [7_500_000, '2 h 5 m'],
    [86_400_000 * 12 + 4 * 3_600_000, '12 d 4 h'],
    [86_400_000 * 500, '1.4 y'],
  ])('%d → %s', (ms, text) => expect(formatMs(ms, 'en')).toBe(text));

  it.each([
    [820, '820 ms'],
    [4200, '4.2 秒'],
    [100_000, '1 分 40 秒'],
    [300_000, '5 分'],
    [85_140_000, '23 小时 39 分'],
    [86_400_000 * 12, '12 天'],
  ])('%d → %s', (ms, text) => expect(formatMs(ms, 'zh-CN')).toBe(text));
});

describe('formatShare', () => {
  it.each([
    [0, '0%'],
    [0.00004, '<0.1%'],
    [0.1234, '12.3%'],
    [0.99999, '>99.9%'],
    [1, '100%'],
  ])('%d → %s', (share, text) => expect(formatShare(share, 'en')).toBe(text));
});

describe('createFormat', () => {
  it('shows unknown as a dash, and zero as zero', () => {
    const f = createFormat('en');
    expect([f.number(null), f.bytes(undefined), f.ms(null), f.share(null), f.shareOf(1, 0)]).toEqual(
      Array(5).fill('—'),
    );
    expect([f.number(0), f.bytes(0), f.shareOf(0, 5)]).toEqual(['0', '0 B', '0%']);
  });
  it('keeps one compact style in both languages', () => {
    expect(createFormat('zh-CN').compact(1_234_567)).toBe('1.23M');
    expect(createFormat('en').compact(9_999)).toBe('9,999');
    expect(createFormat('en').compact(17_000)).toBe('17.0K');
  });
  it('tells time in the language of the reader', () => {
    expect(createFormat('en').ago(0, 180_000)).toMatch(/3 min/);
    expect(createFormat('zh-CN').ago(0, 180_000)).toMatch(/3分钟前/);
    expect(createFormat('zh-CN').ago(0, 1000)).toBe('刚刚');
  });
});
