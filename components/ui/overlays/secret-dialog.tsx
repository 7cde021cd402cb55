import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog, DialogContent } from './dialog';

/** Shows a new secret. This is the only time that it can be shown, because the server stores only its hash. */
export function SecretDialog(props: {
  title: string;
  text: string;
  secret: string;
  copyLabel: string;
  closeLabel: string;
  onClose: () => void;
}) {
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent
        title={props.title}
        description={props.text}
        footer={
          <Button variant="primary" onClick={props.onClose}>
            {props.closeLabel}
          </Button>
        }
      >
        <div className="flex items-start gap-2 rounded-md border bg-background p-3">
          <code className="min-w-0 flex-1 select-all text-xs [overflow-wrap:anywhere]">{props.secret}</code>
          <CopyButton text={props.secret} label={props.copyLabel} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
