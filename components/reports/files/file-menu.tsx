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

/**
 * What a page shows as files, which the browser downloads: a row per list, its formats beside it. `hint`: which rows
 * they have.
 */
export function FileMenu(props: {
  label: string;
  hint: string;
  files: readonly OfferedFile[];
  /** One list that no link may cause: asked for by this. */
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

/** The same of one list. `of`: which, on a page with several. */
export function ListFileMenu({ href, of }: { href: (format: FileFormat) => string; of?: string }) {
  const t = useTranslations('filters.export');
  const label = of === undefined ? t('rowsLabel') : t('rowsLabelOf', { list: of });
  return <FileMenu label={label} hint={t('rowsHint')} files={[{ name: '', href }]} />;
}
