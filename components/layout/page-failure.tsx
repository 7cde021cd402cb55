import { useTranslations } from 'use-intl';
import { toDrawingFailure } from '@/components/data/drawing-failure';
import { ErrorState } from '@/components/data/error-state';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';

export function PageFailure({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  const t = useTranslations('nav');
  return (
    <Card>
      <ErrorState
        page
        {...toDrawingFailure(error, onRetry)}
        className="py-20"
        actions={
          <Button asChild size="sm">
            <Link href="/">{t('fleet')}</Link>
          </Button>
        }
      />
    </Card>
  );
}
