import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { Comparison } from '@/lib/model/comparison/comparison';
import { Difference } from './difference';

/** The figures of the compared part: what they are now, what they were, and the difference. */
export function CompareFigures({ found: { now, before } }: { found: Comparison }) {
  const t = useTranslations('compare.figure');
  const f = useFormat();
  const figures = [
    ['keys', 'number', false],
    ['bytes', 'bytes', false],
    ['noExpiry', 'number', true],
    ['bigkeys', 'number', true],
  ] as const;
  return (
    <StatGrid>
      {figures.map(([name, as, bad]) => {
        const [a, b] = [now.totals[name], before.totals[name]];
        return (
          <Stat
            key={name}
            label={t(name)}
            value={<Value value={a} as={as} />}
            hint={
              <>
                <Difference now={a} before={b} as={as} bad={bad} /> {t('from', { value: f[as](b) })}
                {name === 'bytes' && now.totals.bytesUnknown + before.totals.bytesUnknown > 0 ? (
                  <span className="block">
                    {t('unknown', {
                      now: f.number(now.totals.bytesUnknown),
                      before: f.number(before.totals.bytesUnknown),
                    })}
                  </span>
                ) : null}
              </>
            }
          />
        );
      })}
    </StatGrid>
  );
}
