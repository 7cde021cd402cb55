import { useTranslations } from 'use-intl';
import { useGrantText } from '@/components/data/forms/use-grant-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { Badge } from '@/components/ui/badge';
import type { Grant } from '@/lib/model/access';

/** The column with the grants of a user or a team. */
export function useGrantsColumn<R extends { grants: readonly Grant[] | null }>(): DataColumn<R> {
  const t = useTranslations('users.column');
  const grantText = useGrantText();
  return {
    id: 'grants',
    header: t('grants'),
    hide: 'max-md:hidden',
    className: 'w-full',
    cell: ({ grants }) => (
      <span className="flex flex-wrap gap-1">
        {grants?.map((grant) => (
          <Badge key={`${grant.kind} ${grant.value}`} tone="outline">
            {grantText(grant)}
          </Badge>
        ))}
      </span>
    ),
  };
}
