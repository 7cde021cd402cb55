import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, CardHeader } from '@/components/ui/card';

/** A card with a list that is hidden until a person opens it. */
export function FoldedCard(props: { title: string; description: string; children: ReactNode }) {
  return (
    <Card>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center rounded-lg pl-4 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden />
          <CardHeader className="min-w-0 flex-1 border-b-0 pl-2" title={props.title} description={props.description} />
        </summary>
        <ul className="divide-y border-t">{props.children}</ul>
      </details>
    </Card>
  );
}
