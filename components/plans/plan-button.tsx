import { Hourglass, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { May } from '@/components/data/may';
import { Button, type ButtonProps } from '@/components/ui/button';
import type { Selection } from '@/lib/model/deletions/plan-request';
import { LazyPlanDialog } from './lazy-plan-dialog';
import type { PlanStart } from './plan-dialog';

/** Opens the dialog that plans a deletion, or expiries, of these keys. */
export function PlanButton(props: {
  instanceId: string;
  selection: Selection | null;
  start?: PlanStart;
  size?: ButtonProps['size'];
  variant?: ButtonProps['variant'];
  onMade?: () => void;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const start = props.start ?? { task: 'delete' as const };
  // A start with options changes an existing plan.
  const Icon = start.options ? Pencil : start.task === 'expire' ? Hourglass : Trash2;
  return (
    <May permission="deletion.run" instanceId={props.instanceId}>
      <Button
        size={props.size ?? 'sm'}
        variant={props.variant ?? 'secondary'}
        disabled={props.selection === null}
        onClick={() => setOpen(true)}
      >
        <Icon aria-hidden />
        {props.children}
      </Button>
      {open && props.selection ? (
        <LazyPlanDialog
          instanceId={props.instanceId}
          selection={props.selection}
          start={start}
          open
          onOpenChange={setOpen}
          onMade={props.onMade}
        />
      ) : null}
    </May>
  );
}
