/** The stable id of a rule, as used in profiles, exports and the command line. */
export function RuleId({ id }: { id: string }) {
  return (
    <span className="inline-flex min-h-5 min-w-8 max-w-32 shrink-0 items-center justify-center rounded border border-border-strong px-1 text-center font-mono text-2xs [overflow-wrap:anywhere]">
      {id}
    </span>
  );
}
