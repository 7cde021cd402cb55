import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import type { ApiToken } from '@/lib/model/accounts/api-tokens';

export interface MadeToken {
  token: ApiToken;
  secret: string;
}

/** The secret is shown once: the server stores only its hash. */
export function SecretDialog({ made: { token, secret }, onClose }: { made: MadeToken; onClose: () => void }) {
  const t = useTranslations('account.token');
  const f = useFormat();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('made', { name: token.name })}
        description={t('madeText', { time: f.dateTime(token.expiresAt) })}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        }
      >
        <div className="flex items-start gap-2 rounded-md border bg-background p-3">
          <code className="min-w-0 flex-1 select-all text-xs [overflow-wrap:anywhere]">{secret}</code>
          <CopyButton text={secret} label={t('copy')} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
