import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { ErrorState } from '@/components/data/error-state';
import { useServerAudit } from '@/components/data/queries/use-server-audit';
import { RuleId } from '@/components/rules/rule-id';
import { StandardLegend, StandardNames } from '@/components/rules/standards';
import { useRuleText } from '@/components/rules/use-rule-text';
import { VerdictBadge } from '@/components/rules/verdict-badge';
import { Card, CardHeader } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ServerRuleFinding } from '@/lib/model/servers/server-audit';
import { CommandTable } from './command-table';
import { Evidence } from './evidence';
import { LatencyTable } from './latency-table';
import { SlowlogTable } from './slowlog-table';

/** The order of rows that are not folded away. */
const RANK = { violated: 0, unknown: 1, passed: 2 } as const;

/** The server rules of the instance's profile, evaluated now, and tables of the figures that they use. */
export function ServerRulesCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('serverAudit');
  const query = useServerAudit(instanceId);
  const { data } = query;
  if (query.error && !data)
    return (
      <Card>
        <CardHeader title={t('title')} />
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    );
  if (!data)
    return (
      <Card role="status" aria-label={t('title')}>
        <SkeletonRows rows={8} />
      </Card>
    );
  const { audit, findings } = data;
  const passed = findings.filter(({ verdict }) => verdict === 'passed');
  const count = (verdict: ServerRuleFinding['verdict']) =>
    findings.filter((finding) => finding.verdict === verdict).length;
  return (
    <>
      <ErrorAlert error={query.error} />
      <Card id="standards" className="scroll-mt-16">
        <CardHeader
          title={t('title')}
          description={t('summary', {
            violated: count('violated'),
            passed: passed.length,
            unknown: count('unknown'),
          })}
        />
        <ul className="divide-y">
          {findings
            .filter(({ verdict }) => verdict !== 'passed')
            .toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict])
            .map((finding) => (
              <RuleRow key={finding.rule} finding={finding} nodes={audit.nodes.length} />
            ))}
        </ul>
        {passed.length > 0 ? (
          <details className="border-t first:border-t-0">
            <summary className="cursor-pointer rounded-lg px-4 py-2.5 text-sm marker:text-muted-foreground">
              {t('passedRules', { count: passed.length })}
            </summary>
            <ul className="divide-y border-t">
              {passed.map((finding) => (
                <RuleRow key={finding.rule} finding={finding} nodes={audit.nodes.length} />
              ))}
            </ul>
          </details>
        ) : null}
        <StandardLegend className="border-t px-4 py-2.5" />
      </Card>
      <SlowlogTable audit={audit} />
      <CommandTable audit={audit} />
      <LatencyTable audit={audit} />
    </>
  );
}

function RuleRow({ finding, nodes }: { finding: ServerRuleFinding; nodes: number }) {
  const t = useTranslations('serverAudit');
  const rules = useTranslations('rules');
  const rule = useRuleText()(finding.rule);
  return (
    <li className="grid gap-x-4 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="min-w-0 space-y-1">
        <div className="flex items-start gap-2">
          <RuleId id={finding.rule} />
          <h3 className="min-w-0 flex-1 font-medium text-sm">
            {rule.title} <VerdictBadge verdict={finding.verdict} />
          </h3>
        </div>
        {rule.info ? <StandardNames sources={rule.info.sources} /> : null}
      </div>
      <div className="min-w-0 space-y-1">
        {finding.verdict === 'violated' ? <Evidence evidence={finding.evidence} nodes={nodes} /> : null}
        {finding.verdict === 'unknown'
          ? finding.because?.map((doubt) => (
              <p key={doubt} className="text-muted-foreground text-sm">
                {t(`because.${doubt}`)}
              </p>
            ))
          : null}
        {finding.verdict === 'unknown' && finding.unread ? (
          <p className="text-muted-foreground text-sm">{t('unread', { nodes: finding.unread.join(', ') })}</p>
        ) : null}
        {finding.verdict === 'unknown' && finding.missing.length > 0 ? (
          <p className="text-muted-foreground text-sm">
            {t('missing', { commands: finding.missing.join(', ') })}{' '}
            <span className="break-words font-mono text-xs">
              {t('grant', { acl: finding.missing.map((command) => `+${command.replace(' ', '|')}`).join(' ') })}
            </span>
          </p>
        ) : null}
        {finding.verdict === 'passed' ? null : (
          <p className="text-muted-foreground text-xs">
            <span className="font-medium">{rules('fix')}:</span> {rule.fix}
          </p>
        )}
      </div>
    </li>
  );
}
