import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useProfileName } from '@/components/data/queries/policies/use-profile-name';
import { ScoreLines } from '@/components/rules/score-lines';
import { NoScore, ScoreNumber } from '@/components/rules/score-number';
import { Card, CardBody } from '@/components/ui/card';
import { toVisibleText } from '@/components/ui/visible-text';
import type { FindingsReport } from '@/lib/model/rules/findings';

/** The score, the profiles it was computed by, its previous value, and what its points come from. */
export function ScoreSummary({ report, live }: { report: FindingsReport; live: boolean }) {
  const t = useTranslations('findings');
  const f = useFormat();
  const getProfileName = useProfileName();
  return (
    <Card>
      <CardBody className="space-y-3">
        <div>
          <h2 className="font-semibold text-sm">{t('scoreTitle')}</h2>
          <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
            {report.profiles
              .map(
                ({ id, name, prefix }) =>
                  getProfileName(id, name) + (prefix === null ? '' : ` (${toVisibleText(prefix)})`),
              )
              .join(' · ')}
          </p>
        </div>
        {report.score.score === null ? (
          <NoScore reason={report.score.reason} live={live} />
        ) : (
          <ScoreNumber score={report.score.score} size="lg" />
        )}
        {report.previous?.score != null && report.score.score !== null ? (
          <p className="text-muted-foreground text-xs">
            {t('before', {
              score: f.decimal(report.previous.score, 1),
              time: f.dateTime(report.previous.endedAt),
            })}
          </p>
        ) : null}
        {report.score.score === null ? null : <ScoreLines score={report.score} />}
      </CardBody>
    </Card>
  );
}
