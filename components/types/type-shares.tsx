import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { StackedBar } from '@/components/charts/stacked-bar';
import { useFormat } from '@/components/data/format/use-format';
import { ChartPicture } from '@/components/reports/chart-picture';
import { Card } from '@/components/ui/card';
import { TypeBadge } from '@/components/ui/type-badge';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TypeShare } from '@/lib/model/reports/reports';

/** The same types twice, by keys and by bytes: a difference between the two bars shows where memory is used. */
export function TypeShares({ types }: { types: TypeShare[] }) {
  const t = useTranslations('types');
  const filters = useTranslations('filters');
  const f = useFormat();
  const computeSum = (id: 'keys' | 'bytes') => types.reduce((sum, row) => sum + row[id], 0);
  const measures = (['keys', 'bytes'] as const).map((id) => {
    const sum = computeSum(id);
    const rows = types
      .toSorted((a, b) => b[id] - a[id])
      .map((row) => ({
        id: row.type ?? '',
        type: row.type,
        label: row.type ?? filters('type.unknown'),
        value: row[id],
        valueLabel: f.shareOf(row[id], sum),
        color: getTypeToken(row.type),
      }));
    const total = id === 'keys' ? f.number(sum) : f.bytes(toKnownBytes({ keys: computeSum('keys'), bytes: sum }));
    return { id, title: t(id === 'keys' ? 'byKeys' : 'byBytes'), total, rows };
  });
  return (
    <Card className="p-4 pt-2">
      <ChartPicture title={t('shares')} controls={<h2 className="font-semibold text-sm">{t('shares')}</h2>}>
        <div className="grid gap-4 md:grid-cols-2 md:gap-8">
          {measures.map(({ id, title, total, rows }) => (
            <div key={id} className="grid min-w-0 content-start gap-2.5">
              <div className="flex items-baseline justify-between">
                <h3 className="text-muted-foreground text-xs">{title}</h3>
                <span className="num text-muted-foreground text-xs">{total}</span>
              </div>
              <StackedBar className="h-3" segments={rows} />
              <ul className="flex flex-wrap gap-x-4 gap-y-1">
                {rows.map((row) => (
                  <li key={row.id} className="flex items-baseline gap-1.5">
                    <TypeBadge type={row.type} />
                    <span className="num text-muted-foreground text-xs">{row.valueLabel}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </ChartPicture>
    </Card>
  );
}
