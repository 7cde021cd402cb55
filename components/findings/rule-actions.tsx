import { KeyRound } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { type FindingsScope, ruleFileUrl } from '@/components/data/queries/use-findings';
import { ExportMenu } from '@/components/reports/files/export-menu';
import { FileMenu } from '@/components/reports/files/file-menu';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { RuleFinding } from '@/lib/model/rules/findings';

/** The violating keys as a list and as files, and the prefixes, groups or evidence as files. */
export function RuleActions(props: {
  snapshotId: string;
  finding: RuleFinding;
  scope: FindingsScope;
  keysHref: string;
}) {
  const t = useTranslations('findings');
  const words = useTranslations('filters.export');
  const { snapshotId, finding, scope } = props;
  const titles = { key: t('prefixesTitle'), group: t('groupsTitle'), server: t('evidence') } as const;
  const table = {
    name: titles[finding.kind as keyof typeof titles],
    href: (format: FileFormat) => ruleFileUrl(snapshotId, finding.rule, { ...scope, format }),
  };
  if (finding.kind !== 'key') {
    const isEmpty = finding.kind === 'group' ? !finding.groups : !finding.server?.evidence.length;
    return isEmpty ? null : <FileMenu label={words('tablesLabel')} hint={words('tablesHint')} files={[table]} />;
  }
  if (finding.keys === 0) return null;
  return (
    <>
      <Button asChild>
        <Link href={props.keysHref}>
          <KeyRound aria-hidden />
          {t('listKeys')}
        </Link>
      </Button>
      <ExportMenu snapshotId={snapshotId} query={{ ...scope, rule: [finding.rule] }} more={[table]} />
    </>
  );
}
