import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
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
  /** Says what the file contains; '' if it is the only one. */
  name: string;
  href: (format: FileFormat) => string;
}

/**
 * A menu of files that the browser downloads: one row per list, with its formats next to it. `hint` says which rows the
 * files contain.
 */
export function FileMenu(props: {
  label: string;
  hint: string;
  files: readonly OfferedFile[];
  /** Entries below the files. */
  children?: ReactNode;
}) {
  const { label, hint, files } = props;
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
        {files.map(({ name, href }) =>
          name === '' ? (
            FILE_FORMATS.map((format) => (
              <DropdownMenuItem key={format} asChild>
                <a href={href(format)} download>
                  {t(format)}
                </a>
              </DropdownMenuItem>
            ))
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: a menu has no fieldsets.
            <div key={name} role="group" aria-label={name} className="flex items-center">
              <span aria-hidden className="flex-1 whitespace-nowrap py-1.5 pr-4 pl-2 text-sm">
                {name}
              </span>
              {FILE_FORMATS.map((format) => (
                <DropdownMenuItem key={format} asChild textValue={`${name} ${t(format)}`}>
                  <a href={href(format)} download aria-label={`${name} ${t(format)}`}>
                    <span className="whitespace-nowrap text-muted-foreground">{t(format)}</span>
                  </a>
                </DropdownMenuItem>
              ))}
            </div>
          ),
        )}
        {props.children}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
