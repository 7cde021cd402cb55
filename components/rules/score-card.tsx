import { useTranslations } from 'use-intl';
import { type FindingsScope, useFindings } from '@/components/data/queries/use-findings';
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
          <ScoreNumber score={data.report.score.score} />
          <p className="text-muted-foreground text-xs">{t('mandatory', { count: data.report.mandatory.keys })}</p>
          <ScoreFixes
            max={3}
            fixes={data.report.score.fixes}
            buildHref={(rule) => instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`)}
          />
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
