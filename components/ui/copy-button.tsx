import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { cn } from './cn';
import { useCopied } from './use-copied';

export function CopyButton(props: { text: string; label?: string; className?: string }) {
  const t = useTranslations('ui');
  const { done, copy } = useCopied();
  return (
    <Button
      variant="ghost"
      size="iconXs"
      onClick={() => void copy(props.text)}
      aria-label={done ? t('copied') : (props.label ?? t('copy'))}
      title={props.label ?? t('copy')}
      className={cn('shrink-0', props.className)}
    >
      {done ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
    </Button>
  );
}
