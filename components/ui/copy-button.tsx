import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './button';
import { cn } from './cn';

export function CopyButton(props: { text: string; label?: string; className?: string }) {
  const t = useTranslations('ui');
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      setDone(true);
    } catch {
      setDone(false); // no clipboard without https: the text stays selectable
    }
  };
  return (
    <Button
      variant="ghost"
      size="iconXs"
      onClick={copy}
      aria-label={done ? t('copied') : (props.label ?? t('copy'))}
      title={props.label ?? t('copy')}
      className={cn('shrink-0', props.className)}
    >
      {done ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
    </Button>
  );
}
