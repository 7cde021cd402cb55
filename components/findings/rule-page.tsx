'use client';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { asErrorBody } from '@/components/data/api-error';
import { EachCard } from '@/components/data/card-boundary';
import { LazySnapshotDelta } from '@/components/data/deltas/lazy-snapshot-delta';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useRuleFindings } from '@/components/data/queries/use-findings';
import { useHere } from '@/components/layout/navigation/use-here';
import { Pager } from '@/components/reports/pager';
import { RULE_PAGE_SIZE } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { useReportHref } from '@/components/reports/use-report-href';
import { LazyExemptDialog } from '@/components/rules/lazy-policy-dialogs';
import type { ExemptedPlaces } from '@/components/rules/path-exemption';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Evidence } from '@/components/server/evidence';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { Stat, StatGrid } from '@/components/ui/stat';
import type { RuleFinding } from '@/lib/model/rules/findings';
import { FindingStrengths } from './finding-strengths';
import { FindingsFrame } from './findings-frame';
import { GroupTable } from './group-table';
import { OwnRule } from './own-rule';
import { PrefixTable } from './prefix-table';
import { RuleAbout } from './rule-about';
import { RuleActions } from './rule-actions';
import { RuleBackground } from './rule-background';
import { RuleOff } from './rule-off';
import { ScopeBar } from './scope/scope-bar';
import { useScope } from './scope/use-scope';
import { useSince } from './scope/use-since';

/** One rule: what it says, how many keys violate it, and where they are. */
export function RulePage({ instanceId, rule }: { instanceId: string; rule: string }) {
  const t = useTranslations('findings');
  const current = useCurrentSnapshot(instanceId);
  const { scope } = useScope();
  const { sinceQuery } = useSince();
  const pages = usePages(current.snapshotId, JSON.stringify([rule, scope]));
  const answer = useRuleFindings(current.snapshotId, rule, {
    ...scope,
    ...sinceQuery,
    cursor: pages.cursor,
    limit: RULE_PAGE_SIZE,
  });
  const report = answer.data?.report ?? null;
  const finding = report?.finding ?? null;
  const text = useRuleText()(rule, finding?.title);
  const [exempting, setExempting] = useState<ExemptedPlaces | null>(null);
  const failure = asErrorBody(answer.error);
  // The error names the rule if its profile does not evaluate it.
  const isOff = failure.details?.rule === rule || (failure.code === 'not_found' && text.info === null);
  const { instanceHref } = useHere();
  const keysHref = useReportHref(instanceId);
  const violatingKeys = { rule: [rule], strength: null, exempt: null };
  // The pages of the prefixes or groups, if there is more than one.
  const renderPager = (shown: number, total: number) => {
    const nextCursor = report?.nextCursor ?? null;
    if (pages.page === 0 && nextCursor === null) return null;
    return <Pager pages={pages} pageSize={RULE_PAGE_SIZE} shown={shown} total={total} nextCursor={nextCursor} />;
  };
  return (
    <>
      <Button asChild variant="ghost" size="sm" className="mb-2 -ml-2.5 self-start">
        <Link href={instanceHref(instanceId, '/findings')}>
          <ArrowLeft aria-hidden />
          {t('back')}
        </Link>
      </Button>
      <FindingsFrame
        instanceId={instanceId}
        title={text.title === rule ? rule : `${rule} · ${text.title}`}
        actions={
          finding && current.snapshotId ? (
            <RuleActions
              snapshotId={current.snapshotId}
              finding={finding}
              scope={scope}
              keysHref={keysHref('keys', violatingKeys)}
            />
          ) : null
        }
        replacement={isOff ? <RuleOff instanceId={instanceId} text={text} /> : undefined}
        badges={finding ? <StrengthBadge strength={finding.strength} /> : null}
        current={current}
        answer={answer}
        envelope={answer.data}
        scope={<ScopeBar report={null} />}
      >
        {report && finding ? (
          <EachCard>
            <Numbers
              finding={finding}
              snapshotId={Object.keys(scope).length > 0 ? null : current.snapshotId}
              serverHref={instanceHref(instanceId, '/server')}
              exemptHref={finding.kind === 'key' ? keysHref('keys', { ...violatingKeys, exempt: true }) : null}
            />
            <RuleAbout text={text} settings={report.settings} />
            <RuleBackground info={text.info} />
            {text.info === null ? (
              <OwnRule rule={rule} profiles={report.settings.flatMap(({ profiles }) => profiles)} />
            ) : null}
            {finding.server && finding.server.evidence.length > 0 ? (
              <Card>
                <CardHeader title={t('evidence')} />
                <CardBody>
                  <Evidence evidence={finding.server.evidence} nodes={finding.server.evidence.length} />
                </CardBody>
              </Card>
            ) : null}
            {report.groups.length > 0 ? (
              <GroupTable
                instanceId={instanceId}
                groups={report.groups}
                total={finding.groups}
                onExempt={setExempting}
                pager={renderPager(report.groups.length, finding.groups ?? report.groups.length)}
              />
            ) : null}
            {report.prefixes.length > 0 ? (
              <PrefixTable
                instanceId={instanceId}
                rule={rule}
                report={report}
                onExempt={setExempting}
                pager={renderPager(report.prefixes.length, report.prefixCount)}
              />
            ) : null}
          </EachCard>
        ) : null}
      </FindingsFrame>
      {exempting ? (
        <LazyExemptDialog
          key={JSON.stringify(exempting)}
          instanceId={instanceId}
          open
          onOpenChange={(open) => !open && setExempting(null)}
          start={{ rules: [rule], ...exempting }}
        />
      ) : null}
    </>
  );
}

/** The result of a server rule as a sentence, or the figures of a rule about keys. */
export function Numbers(props: {
  finding: RuleFinding;
  /** null: the figures are of a part of the keys, so they are not compared with the scan before. */
  snapshotId: string | null;
  serverHref: string;
  exemptHref: string | null;
}) {
  const { finding, serverHref } = props;
  const t = useTranslations('findings');
  const f = useFormat();
  const ta = useTranslations('serverAudit');
  if (finding.keys === null) {
    const { missing = [], because = [], unread = [] } = finding.server ?? {};
    const notEvaluated = finding.status === 'unknown' && missing.length === 0;
    const result =
      notEvaluated && unread.length > 0
        ? ta('unread', { nodes: unread.join(', ') })
        : t(`server.${notEvaluated ? 'notReported' : finding.status}`, { missing: missing.join(', ') });
    return (
      <p className="text-muted-foreground text-sm">
        {result} {finding.status === 'unknown' ? because.map((doubt) => `${ta(`because.${doubt}`)} `) : null}
        <Link href={serverHref} className="text-accent underline">
          {t('server.link')}
        </Link>
      </p>
    );
  }
  // If nothing could be evaluated, "no keys" would be a wrong number.
  const reported =
    finding.status === 'unknown' ? { keys: null, shareKeys: null, bytes: null, shareBytes: null } : finding;
  return (
    <StatGrid>
      <Stat
        label={t('column.keys')}
        value={<Value value={reported.keys} as="number" />}
        share={reported.shareKeys}
        shareTone="danger"
        hint={
          <>
            {reported.shareKeys === null ? null : f.share(reported.shareKeys)}{' '}
            {props.snapshotId === null ? null : (
              <LazySnapshotDelta snapshotId={props.snapshotId} of={{ rule: finding.rule }} as="number" />
            )}
            <FindingStrengths finding={finding} />
            {finding.exemptKeys > 0 ? (
              <span className="block" title={t('headline.exemptHint')}>
                {props.exemptHref === null ? (
                  t('exemptKeys', { count: f.number(finding.exemptKeys) })
                ) : (
                  <Link href={props.exemptHref} className="text-accent underline">
                    {t('exemptKeys', { count: f.number(finding.exemptKeys) })}
                  </Link>
                )}
              </span>
            ) : null}
          </>
        }
      />
      <Stat
        label={t('column.bytes')}
        value={<Value value={reported.bytes} as="bytes" />}
        share={reported.shareBytes}
        hint={reported.shareBytes === null ? undefined : f.share(reported.shareBytes)}
      />
      <Stat
        label={t('unknown')}
        value={f.number(finding.unknownKeys)}
        hint={
          finding.because
            ? t(`because.${finding.because}`)
            : finding.missing
              ? t('unknownRefused', { missing: finding.missing.join(', ') })
              : t('unknownHint')
        }
      />
      <Stat
        label={t('column.change')}
        value={finding.change ? `+${f.compact(finding.change.newKeys)} −${f.compact(finding.change.fixedKeys)}` : '—'}
        hint={
          finding.change
            ? t('changeHint', { gone: f.number(finding.change.goneKeys) })
            : t(finding.kind === 'group' ? 'noChangeGroups' : 'noChange')
        }
      />
    </StatGrid>
  );
}
