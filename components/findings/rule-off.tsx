import { ToggleLeft } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import type { RuleInfo, RuleText } from '@/lib/model/rules/rules';
import { RuleAbout } from './rule-about';
import { RuleBackground } from './rule-background';

/**
 * Shown for a rule that was not evaluated: it is off in the profile of the instance, people have to answer it, or there
 * is no rule of that id.
 */
export function RuleOff({ instanceId, text }: { instanceId: string; text: RuleText & { info: RuleInfo | null } }) {
  const t = useTranslations('findings.off');
  const kind = text.info?.kind;
  const { instanceHref } = useHere();
  const state =
    kind === undefined ? 'unknown' : kind === 'application' ? 'people' : kind === 'reference' ? 'reference' : 'off';
  return (
    <>
      <Card>
        <EmptyState
          icon={ToggleLeft}
          title={t(`${state}.title`)}
          actions={
            <Button asChild>
              <Link href={`${instanceHref(instanceId, '/policy')}${state === 'people' ? '#checklist' : ''}`}>
                {t('policy')}
              </Link>
            </Button>
          }
        >
          {t(`${state}.text`)}
        </EmptyState>
      </Card>
      <RuleAbout text={text} settings={[]} />
      <RuleBackground info={text.info} />
    </>
  );
}
