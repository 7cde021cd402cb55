'use client';
import { useTranslations } from 'use-intl';
import { addToAddress } from '@/components/data/address/add-to-address';
import { EachCard } from '@/components/data/card-boundary';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { type FindingsScope, findingsFileUrl, useFindings } from '@/components/data/queries/use-findings';
import { useHere } from '@/components/layout/navigation/use-here';
import { FileMenu } from '@/components/reports/files/file-menu';
import { ScoreFixes } from '@/components/rules/score-fixes';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { FindingsFrame } from './findings-frame';
import { FrameworksCard } from './frameworks-card';
import { Headline } from './headline';
import { OwnerTable } from './owner-table';
import { RuleTable } from './rule-table';
import { ScopeBar } from './scope/scope-bar';
import { SinceChoice } from './scope/since-choice';
import { useScope } from './scope/use-scope';
import { useSince } from './scope/use-since';
import { ScoreSummary } from './score-summary';
import { useRuleChoice } from './use-rule-filters';

/** The findings: the score and its reasons, then every rule, then the owners of the keys. */
export function FindingsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('findings');
  const current = useCurrentSnapshot(instanceId);
  const { scope, set } = useScope();
  const { sinceQuery } = useSince();
  const answer = useFindings(current.snapshotId, { ...scope, ...sinceQuery });
  const { instanceHref } = useHere();
  const buildHref = (rule: string) =>
    addToAddress(instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`), sinceQuery);
  const report = answer.data?.report ?? null;
  return (
    <FindingsFrame
      instanceId={instanceId}
      title={t('title')}
      intro={t('intro')}
      actions={
        <>
          <SinceChoice instanceId={instanceId} current={current} />
          {current.snapshotId && report ? (
            <Files snapshotId={current.snapshotId} scope={{ ...scope, ...sinceQuery }} report={report} />
          ) : null}
        </>
      }
      current={current}
      answer={answer}
      envelope={answer.data}
      scope={<ScopeBar report={report} />}
    >
      {report ? (
        <>
          <EachCard>
            <Headline report={report} instanceId={instanceId} />
          </EachCard>
          <div className="grid gap-4 xl:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
            <EachCard>
              <ScoreSummary report={report} live={answer.data?.live ?? false} />
              <FixesCard report={report} buildHref={buildHref} />
            </EachCard>
          </div>
          <EachCard>
            {current.snapshotId ? (
              <FrameworksCard instanceId={instanceId} snapshotId={current.snapshotId} scope={scope} report={report} />
            ) : null}
            <RuleTable report={report} buildHref={buildHref} instanceId={instanceId} />
            <OwnerTable
              report={report}
              snapshotId={Object.keys(scope).length > 0 ? null : current.snapshotId}
              onChoose={(owner) => set({ owner })}
            />
          </EachCard>
        </>
      ) : null}
    </FindingsFrame>
  );
}

/** Files of the listed rules, and of the teams if there are any. */
function Files({ snapshotId, scope, report }: { snapshotId: string; scope: FindingsScope; report: FindingsReport }) {
  const t = useTranslations('findings');
  const words = useTranslations('filters.export');
  const choice = useRuleChoice();
  const rules = {
    name: t('rulesLabel'),
    href: (format: FileFormat) => findingsFileUrl(snapshotId, { ...scope, ...choice, table: 'rules', format }),
  };
  const owners = {
    name: t('ownersTitle'),
    href: (format: FileFormat) => findingsFileUrl(snapshotId, { ...scope, table: 'owners', format }),
  };
  // This is outside of the cards: a malformed answer without teams must fail only in their card.
  const hasTeams = Array.isArray(report.owners) && report.owners.some((owner) => owner.team !== null);
  const files = hasTeams ? [rules, owners] : [rules];
  return <FileMenu label={words('tablesLabel')} hint={words('tablesHint')} files={files} />;
}

/** The fixes that raise the score most; nothing if there is no score. */
function FixesCard({ report, buildHref }: { report: FindingsReport; buildHref: (rule: string) => string }) {
  const t = useTranslations('findings');
  if (report.score.score === null) return null;
  return (
    <Card>
      <CardHeader title={t('fixesTitle')} description={t('fixesIntro')} />
      <CardBody className="py-2">
        <ScoreFixes fixes={report.score.fixes} buildHref={buildHref} />
      </CardBody>
    </Card>
  );
}
