import dynamic from 'next/dynamic';

/** The dialog and the shape that checks a rule, loaded when somebody opens it. */
export const LazyCustomRuleDialog = dynamic(
  () => import('./custom-rule-dialog').then((loaded) => loaded.CustomRuleDialog),
  { ssr: false },
);
