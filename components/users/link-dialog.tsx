import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';

export interface MadeLink {
  name: string;
  link: OneTimeLink;
}

/**
 * The link is shown once: the server stores only its hash. The token follows `#`, so that no log on the way contains
 * it.
 */
export function LinkDialog({ made: { name, link }, onClose }: { made: MadeLink; onClose: () => void }) {
  const t = useTranslations('users');
  const f = useFormat();
  const address = `${window.location.origin}/welcome#${link.token}`;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('link.title', { name })}
        description={t('link.text', { time: f.dateTime(link.expiresAt) })}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t('link.done')}
          </Button>
        }
      >
        <div className="flex items-start gap-2 rounded-md border bg-background p-3">
          <code className="min-w-0 flex-1 select-all text-xs [overflow-wrap:anywhere]">{address}</code>
          <CopyButton text={address} label={t('link.copy')} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
