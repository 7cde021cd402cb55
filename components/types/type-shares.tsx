import { useTranslations } from 'use-intl';
import { typeColor } from '@/components/charts/scales/type-colors';
import { StackedBar } from '@/components/charts/stacked-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Card } from '@/components/ui/card';
import { TypeBadge } from '@/components/ui/type-badge';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { TypeShare } from '@/lib/model/reports/reports';

/** The same types twice, by keys and by bytes: where the two bars differ is where memory goes. */
export function TypeShares({ types }: { types: TypeShare[] }) {
  const t = useTranslations('types');
  const filters = useTranslations('filters');
  const f = useFormat();
  const keys = types.reduce((total, row) => total + row.keys, 0);
  return (
    <Card className="grid gap-4 p-4 md:grid-cols-2 md:gap-8">
      {(['keys', 'bytes'] as const).map((measure) => {
        const sum = types.reduce((total, row) => total + row[measure], 0);
        const rows = [...types].sort((a, b) => b[measure] - a[measure]);
        return (
          <div key={measure} className="grid min-w-0 content-start gap-2.5">
            <div className="flex items-baseline justify-between">
              <h2 className="font-semibold text-sm">{t(measure === 'keys' ? 'byKeys' : 'byBytes')}</h2>
              <span className="num text-muted-foreground text-xs">
                {measure === 'keys' ? f.number(sum) : f.bytes(knownBytes({ keys, bytes: sum }))}
              </span>
            </div>
            <StackedBar
              className="h-3"
              segments={rows.map((row) => ({
                id: row.type ?? '',
                label: row.type ?? filters('type.unknown'),
                value: row[measure],
                valueLabel: f.shareOf(row[measure], sum),
                color: typeColor(row.type),
              }))}
            />
            <ul className="flex flex-wrap gap-x-4 gap-y-1">
              {rows.map((row) => (
                <li key={row.type} className="flex items-baseline gap-1.5">
                  <TypeBadge type={row.type} />
                  <span className="num text-muted-foreground text-xs">{f.shareOf(row[measure], sum)}</span>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </Card>
  );
}
