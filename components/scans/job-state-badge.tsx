import { Ban, CircleCheck, CirclePause, CircleX, Clock, Hourglass, LoaderCircle, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { ACTIVE_STATES, type JobState } from '@/lib/model/job-states';

const STYLES: Record<JobState, { tone: BadgeTone; Icon: LucideIcon; turns?: boolean }> = {
  queued: { tone: 'neutral', Icon: Clock },
  running: { tone: 'accent', Icon: LoaderCircle, turns: true },
  waiting: { tone: 'warning', Icon: Hourglass },
  pausing: { tone: 'neutral', Icon: LoaderCircle, turns: true },
  paused: { tone: 'warning', Icon: CirclePause },
  cancelling: { tone: 'neutral', Icon: LoaderCircle, turns: true },
  cancelled: { tone: 'neutral', Icon: Ban },
  succeeded: { tone: 'success', Icon: CircleCheck },
  failed: { tone: 'danger', Icon: CircleX },
};

export function JobStateBadge({ state }: { state: JobState }) {
  const t = useTranslations('jobs.state');
  const { tone, Icon, turns } = STYLES[state];
  return (
    <Badge tone={tone} data-live={ACTIVE_STATES.includes(state) || undefined}>
      <Icon className={turns ? 'animate-spin' : undefined} aria-hidden />
      {t(state)}
    </Badge>
  );
}
