import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, CardHeader } from '@/components/ui/card';

/** A card whose content is hidden until a person opens it. */
export function FoldedCard(props: { id?: string; title: string; description?: string; children: ReactNode }) {
  return (
    <Card id={props.id} className="scroll-mt-16">
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center rounded-lg pl-4 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden />
          <CardHeader className="min-w-0 flex-1 border-b-0 pl-2" title={props.title} description={props.description} />
        </summary>
        <div className="border-t">{props.children}</div>
      </details>
    </Card>
  );
}
