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
  /** What the file contains; '' if it is the only one. */
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
  /** Called to save a list that a plain link must not be able to request. */
  onSave?: (format: FileFormat) => void;
}) {
  const { label, hint, files, onSave } = props;
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
        {onSave
          ? FILE_FORMATS.map((format) => (
              <DropdownMenuItem key={format} onSelect={() => onSave(format)}>
                {t(format)}
              </DropdownMenuItem>
            ))
          : null}
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
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The same menu for one list. `of` names the list, on a page with several. */
export function ListFileMenu({ href, of }: { href: (format: FileFormat) => string; of?: string }) {
  const t = useTranslations('filters.export');
  const label = of === undefined ? t('rowsLabel') : t('rowsLabelOf', { list: of });
  return <FileMenu label={label} hint={t('rowsHint')} files={[{ name: '', href }]} />;
}
