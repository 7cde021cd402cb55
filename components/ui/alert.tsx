import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

const TONES = {
  info: { box: 'border-border-strong bg-muted', text: 'text-muted-foreground', Icon: Info },
  warning: { box: 'border-warning/30 bg-warning-soft', text: 'text-warning', Icon: TriangleAlert },
  danger: { box: 'border-danger/30 bg-danger-soft', text: 'text-danger', Icon: CircleAlert },
  success: { box: 'border-success/30 bg-success-soft', text: 'text-success', Icon: CircleCheck },
} as const;

export function Alert(props: {
  tone: keyof typeof TONES;
  title?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const { box, text, Icon } = TONES[props.tone];
  return (
    <div
      role={props.tone === 'danger' ? 'alert' : 'status'}
      className={cn('flex gap-2.5 rounded-lg max-sm:flex-wrap border px-3 py-2.5', box, props.className)}
    >
      <Icon className={cn('mt-0.5 size-4 shrink-0', text)} aria-hidden />
      <div className="min-w-0 flex-1 space-y-0.5">
        {props.title ? <p className="font-medium">{props.title}</p> : null}
        {props.children ? <div className="text-foreground/85 [overflow-wrap:anywhere]">{props.children}</div> : null}
      </div>
      {props.actions ? (
        <div className="flex shrink-0 flex-wrap items-start gap-1.5 max-sm:basis-full max-sm:pl-6.5">
          {props.actions}
        </div>
      ) : null}
    </div>
  );
}
