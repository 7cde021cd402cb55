import { Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import { type NameLines, toEscapedLines, toRawLines } from './name-lines';

/**
 * Copies the selected names to the clipboard: as they are, or as arguments of redis-cli. It says how many names were
 * left out.
 */
export function CopyNamesMenu({ names }: { names: () => Uint8Array[] }) {
  const t = useTranslations('deletions.new');
  const copy = async (toLines: (names: Uint8Array[]) => NameLines) => {
    const selected = names();
    const { text, omitted } = toLines(selected);
    if (omitted === selected.length) return void toast.error(t('namesLeft', { count: omitted }));
    if (!(await putOnClipboard(text))) return void toast.error(t('namesNotCopied'));
    toast.success(
      t('namesCopied', { count: selected.length - omitted }),
      omitted > 0 ? { description: t('namesLeft', { count: omitted }) } : undefined,
    );
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="sm" className="@max-lg:px-1.5" title={t('copyNames')}>
          <Copy aria-hidden />
          <span className="@max-lg:sr-only">{t('copyNames')}</span>
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        <DropdownMenuItem onSelect={() => void copy(toRawLines)}>{t('copyRaw')}</DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void copy(toEscapedLines)}>{t('copyEscaped')}</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
