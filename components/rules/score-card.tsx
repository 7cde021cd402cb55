import { useTranslations } from 'use-intl';
import { LazySnapshotDelta } from '@/components/data/deltas/lazy-snapshot-delta';
import { useFormat } from '@/components/data/format/use-format';
import { type FindingsScope, useFindings } from '@/components/data/queries/use-findings';
import { useReport } from '@/components/data/queries/use-report';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ScoreFixes } from './score-fixes';
import { NoScore, ScoreNumber } from './score-number';

/**
 * The score on the overview, with the fixes that would raise it most. Renders nothing if there can be no score: the
 * findings page says why. `note`: the filters of the page that `scope` does not support; null: none.
 */
export function ScoreCard(props: {
  instanceId: string;
  /** null: the scan is still running. Its rules are evaluated when it has ended. */
  snapshotId: string | null;
  scope: FindingsScope;
  note: string | null;
}) {
  const { instanceId } = props;
  const t = useTranslations('findings.overview');
  const { data, error } = useFindings(props.snapshotId, props.scope);
  const { instanceHref } = useHere();
  if (error && !data) return null;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={props.note}
        actions={
          <Button asChild size="sm" variant="ghost">
            <Link href={instanceHref(instanceId, '/findings')}>{t('all')}</Link>
          </Button>
        }
      />
      {props.snapshotId === null ? (
        <CardBody>
          <NoScore reason="no_keys" live />
        </CardBody>
      ) : data && data.report.score.score === null ? (
        <CardBody>
          <NoScore reason={data.report.score.reason} live={false} />
        </CardBody>
      ) : data ? (
        <CardBody className="space-y-3">
          <ScoreNumber
            score={data.report.score.score}
            change={
              props.snapshotId === null || props.note !== null || Object.keys(props.scope).length > 0 ? null : (
                <LazySnapshotDelta snapshotId={props.snapshotId} of={{ measure: 'score' }} as="decimal" />
              )
            }
          />
          <p className="text-muted-foreground text-xs">{t('mandatory', { count: data.report.mandatory.keys })}</p>
          <ScoreFixes
            max={3}
            fixes={data.report.score.fixes}
            buildHref={(rule) => instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`)}
          />
          <FrameworksLine {...props} />
        </CardBody>
      ) : (
        <div role="status">
          <p className="px-4 py-3 text-muted-foreground text-sm">{t('loading')}</p>
          <SkeletonRows rows={4} />
        </div>
      )}
    </Card>
  );
}

/** How many keys frameworks have named, with a link to their card; nothing if there are none. */
function FrameworksLine(props: { instanceId: string; snapshotId: string | null; scope: FindingsScope }) {
  const t = useTranslations('findings.frameworks');
  const f = useFormat();
  const { instanceHref } = useHere();
  const { data } = useReport(props.snapshotId, 'frameworks', props.scope);
  const found = data?.report.frameworks ?? [];
  if (!data || found.length === 0) return null;
  const keys = found.reduce((sum, framework) => sum + framework.keys, 0);
  return (
    <p className="text-xs">
      <Link
        href={`${instanceHref(props.instanceId, '/findings')}#frameworks`}
        className="text-accent underline underline-offset-2"
      >
        {t('overview', { count: found.length, share: f.shareOf(keys, data.report.keys) })}
      </Link>
    </p>
  );
}
