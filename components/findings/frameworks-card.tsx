import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/data/queries/accounts/use-session';
import type { FindingsScope } from '@/components/data/queries/use-findings';
import { useReport } from '@/components/data/queries/use-report';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { ShareCell } from '@/components/reports/share-cell';
import { useReportHref } from '@/components/reports/use-report-href';
import type { ExemptionStart } from '@/components/rules/exempt-dialog';
import { LazyExemptDialog } from '@/components/rules/lazy-policy-dialogs';
import { buildPathExemption, type ExemptedPlaces } from '@/components/rules/path-exemption';
import { RuleId } from '@/components/rules/rule-id';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import type { FrameworkFound } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';

/** Frameworks that are shown at first. */
const SHOWN_FRAMEWORKS = 6;
/** Prefixes of a framework that a row shows; the others are counted. */
const SHOWN_PLACES = 3;

/**
 * The frameworks that have named keys here, with one exemption for all rules that the names of each violate by nature:
 * nobody can rename these keys. Renders nothing if none was found.
 */
export function FrameworksCard(props: {
  instanceId: string;
  snapshotId: string;
  scope: FindingsScope;
  report: FindingsReport;
}) {
  const { instanceId } = props;
  const t = useTranslations('findings.frameworks');
  const column = useTranslations('findings.column');
  const mayExempt = useMay('policy.edit', instanceId);
  const href = useReportHref(instanceId);
  const { data } = useReport(props.snapshotId, 'frameworks', props.scope);
  const [all, setAll] = useState(false);
  const [exempting, setExempting] = useState<ExemptionStart | null>(null);
  const frameworks = data?.report.frameworks ?? [];
  if (!data || frameworks.length === 0) return null;
  const total = data.report.keys;
  const inProfile = new Set(props.report.rules.map(({ rule }) => rule));
  const listViolated = ({ violates }: FrameworkFound) => violates.filter((rule) => inProfile.has(rule));
  const columns: DataColumn<FrameworkFound>[] = [
    {
      id: 'framework',
      header: t('framework'),
      value: (row) => row.name,
      className: 'min-w-36 py-1.5',
      cell: (row) => (
        <>
          <span className="font-medium">{row.name}</span>
          {/* No-break, so that the icon stays beside the last word. */}
          {'\u00a0'}
          <a
            href={row.url}
            target="_blank"
            rel="noreferrer"
            aria-label={t('documentation', { name: row.name })}
            className="inline-block align-[-2px] text-muted-foreground hover:text-accent"
          >
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        </>
      ),
    },
    createFigureColumn('keys', column('keys'), 'compact', (row) => row.keys),
    {
      id: 'share',
      header: column('share'),
      descFirst: true,
      hide: 'max-sm:hidden',
      value: (row) => row.keys,
      cell: (row) => <ShareCell share={row.keys / total} barClass="w-12 max-2xl:hidden" />,
    },
    {
      id: 'prefixes',
      header: t('prefixes'),
      hide: 'max-sm:hidden',
      className: 'max-w-72 py-1.5',
      cell: (row) => (
        <div className="space-y-0.5">
          {row.places.slice(0, SHOWN_PLACES).map(({ path, end }) => (
            <div key={`${path} ${end}`} className="truncate">
              <PrefixName
                prefix={path}
                href={href('keys', { ...buildPathFilterPatch(path, { exact: end }), delimiter: null })}
              />
            </div>
          ))}
          {row.placeCount > SHOWN_PLACES ? (
            <div className="text-muted-foreground text-xs">{t('more', { count: row.placeCount - SHOWN_PLACES })}</div>
          ) : null}
        </div>
      ),
    },
    {
      id: 'example',
      header: column('example'),
      hide: 'max-xl:hidden',
      className: 'max-w-64',
      cell: (row) => <KeyName name={row.example} max={32} />,
    },
    {
      id: 'violates',
      header: t('violates'),
      hint: t('violatesHint'),
      hide: 'max-lg:hidden',
      className: 'py-1.5',
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          {listViolated(row).map((rule) => (
            <RuleId key={rule} id={rule} />
          ))}
        </span>
      ),
    },
    {
      id: 'actions',
      header: column('actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (row) =>
        mayExempt ? (
          <Button
            size="xs"
            variant="ghost"
            aria-label={t('exemptKeys', { name: row.name })}
            onClick={() =>
              setExempting({
                ...listExemptedPlaces(row),
                rules: listViolated(row),
                reason: t('reason', { name: row.name }),
              })
            }
          >
            {t('exempt')}
          </Button>
        ) : null,
    },
  ];
  return (
    <Card id="frameworks">
      <CardHeader
        title={t('title', { count: frameworks.length })}
        description={t('intro')}
        actions={
          frameworks.length > SHOWN_FRAMEWORKS ? (
            <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
              {t(all ? 'showFewer' : 'showAll', { count: frameworks.length })}
            </Button>
          ) : null
        }
      />
      <DataTable
        label={t('label')}
        columns={columns}
        rows={all ? frameworks : frameworks.slice(0, SHOWN_FRAMEWORKS)}
        rowId={(row) => row.id}
      />
      {exempting ? (
        <LazyExemptDialog
          key={JSON.stringify(exempting)}
          instanceId={instanceId}
          open
          onOpenChange={(open) => !open && setExempting(null)}
          start={exempting}
        />
      ) : null}
    </Card>
  );
}

/** The prefixes and patterns of the keys of a framework. */
function listExemptedPlaces({ places }: FrameworkFound): ExemptedPlaces {
  const all = places.map(({ path, end, glob }) =>
    glob === null ? buildPathExemption(path, end) : { prefixes: [], patterns: [glob] },
  );
  return {
    prefixes: all.flatMap((place) => place?.prefixes ?? []),
    patterns: all.flatMap((place) => place?.patterns ?? []),
  };
}
