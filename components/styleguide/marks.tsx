import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { VerdictBadge } from '@/components/rules/verdict-badge';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { Alert } from '@/components/ui/alert';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { KeyName } from '@/components/ui/key-name';
import { TypeBadge } from '@/components/ui/type-badge';
import { JOB_STATES } from '@/lib/model/job-states';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { everyOne } from './sample';

const BADGES = everyOne<BadgeTone>({
  neutral: true,
  outline: true,
  accent: true,
  success: true,
  warning: true,
  danger: true,
});
const ALERTS = everyOne<ComponentProps<typeof Alert>['tone']>({
  info: true,
  success: true,
  warning: true,
  danger: true,
});
const VERDICTS = everyOne<ComponentProps<typeof VerdictBadge>['verdict']>({
  violated: true,
  passed: true,
  unknown: true,
});
const TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream', 'ReJSON-RL', null];
/** A plain name, one that is long, one of bytes, one that turns the writing direction, one that looks like markup. */
const NAMES = ['user:42:profile', `cart:${'x'.repeat(120)}`, 'a\\xff\\x00', 'a\u202eb', '<b>x</b>', ' '];

/** What says something of a thing: strength, type, name, a message. Colour only where it means something. */
export function Marks() {
  const t = useTranslations('styleguide');
  return (
    <Card>
      <CardHeader title={t('marks')} />
      <CardBody className="space-y-4">
        <div className="flex flex-wrap items-center gap-2">
          {BADGES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          {STRENGTHS.map((strength) => (
            <StrengthBadge key={strength} strength={strength} />
          ))}
          {VERDICTS.map((verdict) => (
            <VerdictBadge key={verdict} verdict={verdict} />
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {JOB_STATES.map((state) => (
            <JobStateBadge key={state} state={state} />
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {TYPES.map((type) => (
            <TypeBadge key={String(type)} type={type} />
          ))}
        </div>
        <ul className="space-y-1">
          {NAMES.map((name) => (
            <li key={name} className="flex min-w-0 items-center gap-2">
              <KeyName name={name} max={48} />
              <CopyButton text={name} />
            </li>
          ))}
          <li>
            <KeyName name={NAMES[1] ?? ''} max={0} wrap copy />
          </li>
          <li>
            <KeyName name="" />
          </li>
        </ul>
        {ALERTS.map((tone) => (
          <Alert key={tone} tone={tone} title={tone}>
            {t('hint')}
          </Alert>
        ))}
        <Alert tone="warning" actions={<Button size="sm">{t('act')}</Button>}>
          {t('hint')}
        </Alert>
      </CardBody>
    </Card>
  );
}
