import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { FILE_FORMATS, type FileFormat } from '@/lib/model/reports/file-formats';

export interface OfferedFile {
  /** What is in it; '' where it is the only one. */
  name: string;
  href: (format: FileFormat) => string;
}

/** What a page shows as files, which the browser downloads. `hint`: which rows they have. */
export function FileMenu({ label, hint, files }: { label: string; hint: string; files: readonly OfferedFile[] }) {
  const t = useTranslations('filters.export');
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button aria-label={label}>
          <Download aria-hidden />
          {t('menu')}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>{hint}</DropdownMenuLabel>
        {files.flatMap(({ name, href }) =>
          FILE_FORMATS.map((format) => (
            <DropdownMenuItem key={`${name}-${format}`} asChild>
              <a href={href(format)} download>
                {name === '' ? null : <span className="flex-1">{name}</span>}
                <span className={name === '' ? undefined : 'text-muted-foreground'}>{t(format)}</span>
              </a>
            </DropdownMenuItem>
          )),
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The same of a page that is one list. */
export function ListFileMenu({ href }: { href: (format: FileFormat) => string }) {
  const t = useTranslations('filters.export');
  return <FileMenu label={t('rowsLabel')} hint={t('rowsHint')} files={[{ name: '', href }]} />;
}
