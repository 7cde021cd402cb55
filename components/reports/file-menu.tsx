import { Download } from 'lucide-react';
import { Fragment } from 'react';
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

export interface FileGroup {
  /** Which rows the files have. */
  hint: string;
  /** What is in each; '' where the hint says it. */
  files: readonly { name: string; href: (format: FileFormat) => string }[];
}

/** What a page shows as files; the browser downloads them, so there is no limit of rows. */
export function FileMenu({ label, groups }: { label: string; groups: readonly FileGroup[] }) {
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
        {groups.map(({ hint, files }) => (
          <Fragment key={hint}>
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
          </Fragment>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The same of a page that is one list. */
export function ListFileMenu({ href }: { href: (format: FileFormat) => string }) {
  const t = useTranslations('filters.export');
  return <FileMenu label={t('rowsLabel')} groups={[{ hint: t('rowsHint'), files: [{ name: '', href }] }]} />;
}
