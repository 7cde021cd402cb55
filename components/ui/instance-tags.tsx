import { useTranslations } from 'use-intl';
import { Badge } from './badge';
import { cn } from './cn';

/** Environment, production mark and tags on one unobtrusive line. */
export function InstanceTags(props: {
  environment: string;
  tags: readonly string[];
  production?: boolean;
  readOnly?: boolean;
  className?: string;
}) {
  const t = useTranslations('instances.mark');
  if (!props.environment && props.tags.length === 0 && !props.production && !props.readOnly) return null;
  return (
    <span className={cn('mt-0.5 flex flex-wrap items-center gap-1', props.className)}>
      {props.production ? (
        <Badge tone="warning" title={t('production')}>
          {props.environment || t('production')}
        </Badge>
      ) : props.environment ? (
        <Badge tone="outline">{props.environment}</Badge>
      ) : null}
      {props.readOnly ? <Badge tone="outline">{t('readOnly')}</Badge> : null}
      {props.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}
