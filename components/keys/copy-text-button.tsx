import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/overlays/toast';
import { useCopied } from '@/components/ui/use-copied';

/** A copy button with a text label instead of only an icon. */
export function CopyTextButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations('keys.page');
  const { done, copy } = useCopied(() => toast.error(t('copyFailed'), { description: text }));
  return (
    <Button size="sm" onClick={() => void copy(text)}>
      {done ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
      {done ? t('copied') : label}
    </Button>
  );
}
