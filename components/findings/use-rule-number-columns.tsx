import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { ShareCell } from '@/components/reports/share-cell';
import { VerdictBadge } from '@/components/rules/verdict-badge';
import { KeyName } from '@/components/ui/key-name';
import type { RuleFinding } from '@/lib/model/rules/findings';
import { FindingStrengths } from './finding-strengths';

/**
 * A rule that could not be evaluated counts 0 keys, which would be a wrong number: this returns null (unknown) then.
 */
const hideIfUnknown = (finding: RuleFinding, value: number | null) => (finding.status === 'unknown' ? null : value);

/** The columns of figures. A server rule has a result where others have numbers. */
export function useRuleNumberColumns(): DataColumn<RuleFinding>[] {
  const t = useTranslations('findings');
  const f = useFormat();
  return [
    {
      id: 'keys',
      header: t('column.keys'),
      num: true,
      value: (finding) => hideIfUnknown(finding, finding.keys),
      cell: (finding) => (
        <>
          {finding.keys === null || finding.status === 'unknown' ? (
            <VerdictBadge verdict={finding.status} />
          ) : (
            <Value value={finding.keys} as="compact" />
          )}
          <FindingStrengths finding={finding} />
        </>
      ),
    },
    {
      id: 'beside',
      header: t('column.beside'),
      hide: 'max-xl:hidden',
      className: 'text-muted-foreground text-xs',
      // Each count is on a line of its own.
      cell: ({ groups, unknownKeys, because }) => (
        <div
          className="min-w-22"
          title={unknownKeys > 0 ? t(because ? `because.${because}` : 'unknownHint') : undefined}
        >
          {groups !== null && groups > 0 ? <span className="block">{t('groups', { count: groups })}</span> : null}
          {unknownKeys > 0 ? (
            <span className="block">{t('unknownKeys', { count: f.compact(unknownKeys) })}</span>
          ) : null}
        </div>
      ),
    },
    {
      id: 'share',
      header: t('column.share'),
      descFirst: true,
      hide: 'max-md:hidden',
      value: (finding) => hideIfUnknown(finding, finding.shareKeys),
      cell: (finding) => {
        const share = hideIfUnknown(finding, finding.shareKeys);
        return share === null ? null : <ShareCell share={share} barClass="w-8 2xl:w-16" />;
      },
    },
    {
      id: 'bytes',
      header: t('column.bytes'),
      num: true,
      hide: 'max-md:hidden',
      value: (finding) => (finding.keys === null ? null : hideIfUnknown(finding, finding.bytes)),
      cell: (finding) =>
        finding.keys === null ? null : <Value value={hideIfUnknown(finding, finding.bytes)} as="bytes" />,
    },
    {
      id: 'change',
      header: t('column.change'),
      num: true,
      hide: 'max-lg:hidden',
      className: 'whitespace-nowrap text-xs',
      value: ({ change }) => change?.newKeys,
      cell: ({ change }) =>
        change === null ? (
          <span className="text-muted-foreground">—</span>
        ) : (
          <span title={t('changeHint', { gone: f.number(change.goneKeys) })}>
            <span className={change.newKeys > 0 ? 'text-danger' : 'text-muted-foreground'}>
              +{f.compact(change.newKeys)}
            </span>{' '}
            <span className={change.fixedKeys > 0 ? 'text-success' : 'text-muted-foreground'}>
              −{f.compact(change.fixedKeys)}
            </span>
          </span>
        ),
    },
    {
      id: 'example',
      header: t('column.example'),
      hide: 'max-2xl:hidden',
      className: 'max-w-44',
      cell: (finding) => (finding.example ? <KeyName name={finding.example.name} max={26} /> : null),
    },
  ];
}
