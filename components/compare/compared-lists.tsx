import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import type { ChangeCounts, Comparison } from '@/lib/model/comparison/comparison';
import { CHANGES } from '@/lib/model/comparison/comparison-words';
import { LISTS, type List, toGrouping } from './compare-params';
import { ComparedGroupTable } from './compared-group-table';
import { ComparedKeyTable } from './compared-key-table';
import { RuleChangeTable } from './rule-change-table';
import type { CompareParams } from './use-compare-params';

const ALL = 'all';
const NO_KEYS = { new: null, gone: null, grown: null, shrunk: null };

/** The lists of what differs: groups, keys and findings, each by how it differs. */
export function ComparedLists(props: { instanceId: string; found: Comparison; compared: CompareParams }) {
  const t = useTranslations('compare');
  const f = useFormat();
  const { found, compared } = props;
  const { params, set, keyChange } = compared;
  const { list } = params;
  const by = toGrouping(list);
  const counts = countRows(found, list);
  const total = (of: Record<string, number | null> | null) =>
    of === null ? null : Object.values(of).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const label = (text: string, count: number | null) => (
    <>
      {text} <span className="num text-muted-foreground">{f.compact(count)}</span>
    </>
  );
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 border-b p-2.5">
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label={t('lists')}
            value={list}
            onValueChange={(next) => set({ list: next, change: null, all: null })}
            options={LISTS.map((value) => ({
              value,
              label: label(
                t(`list.${value}`),
                value === 'findings' ? (found.rules?.length ?? null) : total(countRows(found, value)),
              ),
            }))}
          />
        </div>
        {list === 'findings' ? null : (
          <div className="max-w-full overflow-x-auto">
            <Segmented
              size="sm"
              label={t('changes')}
              value={by ? (params.change ?? ALL) : keyChange}
              onValueChange={(next) => set({ change: next === ALL ? null : next })}
              options={[
                ...(by ? [{ value: ALL as typeof ALL, label: t('change.all') }] : []),
                ...CHANGES.map((value) => ({
                  value,
                  label: label(
                    t(list === 'bigkeys' ? `bigChange.${value}` : `change.${value}`),
                    (counts ?? NO_KEYS)[value],
                  ),
                })),
              ]}
            />
          </div>
        )}
      </div>
      {by ? (
        <ComparedGroupTable {...props} by={by} />
      ) : list === 'findings' ? (
        <RuleChangeTable {...props} />
      ) : (
        <ComparedKeyTable {...props} big={list === 'bigkeys'} />
      )}
    </Card>
  );
}

/** The number of rows of each change; null: not counted yet. */
function countRows({ groups, keys }: Comparison, list: List): ChangeCounts | null {
  if (list === 'prefixes') return groups.prefix;
  if (list === 'templates') return groups.template;
  if (keys === null || list === 'findings') return null;
  if (list === 'bigkeys') return keys.bigkeys;
  const { new: fresh, gone, grown, shrunk } = keys.keys;
  return { new: fresh.keys, gone: gone.keys, grown: grown.keys, shrunk: shrunk.keys };
}
