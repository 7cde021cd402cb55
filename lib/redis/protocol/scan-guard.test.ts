import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeScanBounds, ScanGuard } from './scan-guard';

it('finds any ring of cursors within three times its length and lead', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 50 }), (lead, ring) => {
      const guard = new ScanGuard(computeScanBounds(null), '0');
      let pages = 0;
      expect(() => {
        for (; pages < 1000; pages++) {
          const at = pages < lead ? pages : lead + ((pages - lead) % ring);
          guard.addPage(String(at + 1), 1, 10);
        }
      }).toThrow('repeats');
      expect(pages).toBeLessThanOrEqual(4 * (lead + ring) + 4);
    }),
  );
});

it('lets an honest walk pass, however long', () => {
  const guard = new ScanGuard(computeScanBounds(1_000_000), '0');
  for (let i = 1; i < 100_000; i++) guard.addPage(String(BigInt(i) << 40n), 10, 10);
  guard.addPage('0', 10, 10);
});

it('is generous but finite', () => {
  const guard = new ScanGuard(computeScanBounds(1000), '0');
  expect(() => {
    for (let i = 1; i < 20_000; i++) guard.addPage(String(i), 100, 100);
  }).toThrow('far beyond');
});
