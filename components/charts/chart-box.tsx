import { type ReactNode, Suspense, useState } from 'react';

/**
 * A chart of a report is drawn twice alike: still, with the page, and live, by Recharts, once somebody points at it.
 * The library weighs as much as the rest of such a page, and most visits only look.
 */
export function ChartBox(props: { label: string; height: number; still: ReactNode; live: ReactNode }) {
  const [meant, setMeant] = useState(false);
  return (
    <div
      role="img"
      aria-label={props.label}
      style={{ height: props.height }}
      className="w-full text-xs"
      onPointerEnter={() => setMeant(true)}
    >
      {meant ? <Suspense fallback={props.still}>{props.live}</Suspense> : props.still}
    </div>
  );
}
