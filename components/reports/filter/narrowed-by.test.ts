import { expect, it } from 'vitest';
import { narrowFilter } from '@/components/reports/use-report-href';
import { buildTtlFilter } from '@/components/ttl/ttl-filter';

it('asks for no more than the page looks at', () => {
  expect(narrowFilter({ bytesMin: 70 }, { bytesMin: 64, bytesMax: 127 })).toEqual({ bytesMin: 70, bytesMax: 127 });
  expect(narrowFilter({ bytesMin: 10, bytesMax: 100 }, { bytesMin: 64, bytesMax: 127 })).toEqual({
    bytesMin: 64,
    bytesMax: 100,
  });
  expect(narrowFilter({ ttlMax: 90 }, buildTtlFilter(60, 3600))).toEqual({ expiry: 'any', ttlMin: 60, ttlMax: 90 });
});
it('the last bucket has no upper bound of its own', () => {
  expect(narrowFilter({ bytesMax: 9000 }, { bytesMin: 8192, bytesMax: undefined })).toEqual({
    bytesMin: 8192,
    bytesMax: 9000,
  });
});
it('takes out what is null, and replaces what is no bound', () => {
  expect(narrowFilter({ prefix: 'a:', type: ['hash', 'set'], db: [1] }, { prefix: null, type: ['set'] })).toEqual({
    prefix: null,
    type: ['set'],
    db: [1],
  });
});
