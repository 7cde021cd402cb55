import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { Segmented } from '@/components/ui/forms/segmented';
import type { RuleInfo } from '@/lib/model/rules/rules';

/**
 * Explains the mechanism in Redis that the rule is about, with code to copy; nothing if the catalogue explains nothing.
 */
export function RuleBackground({ info }: { info: RuleInfo | null }) {
  const t = useTranslations('rules');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const [language, setLanguage] = useState<string | null>(null);
  const snippets = info?.snippets ?? [];
  const shown = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  if (!info?.background) return null;
  return (
    <Card>
      <CardHeader title={t('background')} />
      <CardBody className="space-y-3 text-sm">
        {info.background[locale].map((paragraph) => (
          <p key={paragraph} className="max-w-4xl">
            {paragraph}
          </p>
        ))}
        {shown ? (
          <section className="space-y-2">
            <div className="flex flex-wrap items-center gap-2">
              <Segmented
                label={t('snippets')}
                size="sm"
                value={shown.language}
                onValueChange={setLanguage}
                options={snippets.map((snippet) => ({ value: snippet.language, label: snippet.language }))}
              />
              <CopyButton text={shown.code} />
            </div>
            <pre className="overflow-x-auto rounded-md bg-muted p-3 font-mono text-xs">
              <code>{shown.code}</code>
            </pre>
          </section>
        ) : null}
      </CardBody>
    </Card>
  );
}
