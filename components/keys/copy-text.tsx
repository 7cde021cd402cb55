import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/overlays/toast';

/** Copies with a word instead of only a sign. Browsers give no clipboard without https or localhost: says so. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const t = useTranslations('keys.page');
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      toast.error(t('copyFailed'), { description: text });
    }
  };
  return (
    <Button size="sm" onClick={() => void copy()}>
      {done ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
      {done ? t('copied') : label}
    </Button>
  );
}
