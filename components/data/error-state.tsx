import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { useErrorText } from './use-error-text';

/** Shown in place of content that could not be loaded: what happened, what to try, and a button to try again. */
export function ErrorState(props: {
  error: unknown;
  onRetry?: () => void;
  actions?: ReactNode;
  className?: string;
  /** Whether it replaces the whole page: then its sentence is the page's heading. */
  page?: boolean;
}) {
  const t = useTranslations('ui');
  const Title = props.page ? 'h1' : 'p';
  const { title, hint, detail } = useErrorText()(props.error);
  return (
    <div role="alert" className={cn('flex flex-col items-center gap-1 px-6 py-10 text-center', props.className)}>
      <CircleAlert className="mb-1.5 size-6 text-danger" aria-hidden />
      <Title className="font-medium text-base">{title}</Title>
      {hint ? <p className="max-w-lg text-balance text-muted-foreground">{hint}</p> : null}
      {detail ? (
        <p className="max-w-lg font-mono text-muted-foreground text-xs [overflow-wrap:anywhere]">{detail}</p>
      ) : null}
      <div className="mt-3 flex gap-2">
        {props.onRetry ? (
          <Button size="sm" onClick={props.onRetry}>
            <RotateCw aria-hidden />
            {t('retry')}
          </Button>
        ) : null}
        {props.actions}
      </div>
    </div>
  );
}
