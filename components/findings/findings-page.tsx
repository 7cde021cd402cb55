'use client';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { useFormat } from '@/components/data/format/use-format';
import { useProfileName } from '@/components/data/queries/policies/use-profile-name';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useFindings } from '@/components/data/queries/use-findings';
import { useHere } from '@/components/layout/navigation/use-here';
import { ScoreFixes } from '@/components/rules/score-fixes';
import { ScoreLines } from '@/components/rules/score-lines';
import { ScoreNumber } from '@/components/rules/score-number';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { visibleText } from '@/components/ui/visible-text';
import { FindingsFrame } from './findings-frame';
import { Headline } from './headline';
import { OwnerTable } from './owner-table';
import { RuleTable } from './rule-table';
import { ScopeBar } from './scope-bar';
import { useScope } from './use-scope';

/** What the rules found: the score and its reasons, then every rule, then whose keys they are. */
export function FindingsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('findings');
  const f = useFormat();
  const nameOf = useProfileName();
  const current = useCurrentSnapshot(instanceId);
  const { scope, set } = useScope();
  const answer = useFindings(current.snapshotId, scope);
  const { instanceHref } = useHere();
  const hrefOf = (rule: string) => instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`);
  const report = answer.data?.report ?? null;
  return (
    <FindingsFrame
      instanceId={instanceId}
      title={t('title')}
      intro={t('intro')}
      current={current}
      answer={answer}
      asOf={answer.data?.asOf ?? null}
      scope={<ScopeBar report={report} />}
    >
      {report ? (
        <>
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
            <Card>
              <CardBody className="space-y-3">
                <div>
                  <h2 className="font-semibold text-sm">{t('scoreTitle')}</h2>
                  <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
                    {report.profiles
                      .map(
                        ({ id, name, prefix }) =>
                          nameOf(id, name) + (prefix === null ? '' : ` (${visibleText(prefix)})`),
                      )
                      .join(' · ')}
                  </p>
                </div>
                <ScoreNumber score={report.score.score} size="lg" />
                {report.previous?.score != null && report.score.score !== null ? (
                  <p className="text-muted-foreground text-xs">
                    {t('before', {
                      score: f.decimal(report.previous.score, 1),
                      time: f.dateTime(report.previous.endedAt),
                    })}
                  </p>
                ) : null}
                <ScoreLines score={report.score} />
              </CardBody>
            </Card>
            <div className="min-w-0 space-y-4">
              <EachCard>
                <Headline report={report} instanceId={instanceId} />
              </EachCard>
              <Card>
                <CardHeader title={t('fixesTitle')} description={t('fixesIntro')} />
                <CardBody className="py-2">
                  <ScoreFixes fixes={report.score.fixes} hrefOf={hrefOf} />
                </CardBody>
              </Card>
            </div>
          </div>
          <EachCard>
            <RuleTable report={report} hrefOf={hrefOf} instanceId={instanceId} />
            {report.owners.some((owner) => owner.team !== null) ? (
              <OwnerTable owners={report.owners} onChoose={(owner) => set({ owner })} />
            ) : null}
          </EachCard>
        </>
      ) : null}
    </FindingsFrame>
  );
}
