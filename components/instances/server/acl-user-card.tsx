import { useTranslations } from 'use-intl';
import { CardBody } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { FoldedCard } from '@/components/ui/forms/folded-card';
import { type AclServer, type AclUser, buildAclUserLine } from '@/lib/model/servers/acl-users';

/** An ACL user with exactly the permissions that a scan or a deletion needs, for copy and paste. */
export function AclUserCard({ server, may }: { server: AclServer; may: AclUser }) {
  const t = useTranslations('instances.server');
  const text = buildAclUserLine(may, server);
  return (
    <FoldedCard
      title={t(may === 'scan' ? 'aclTitle' : 'aclDeleteTitle')}
      description={t(may === 'scan' ? 'aclText' : 'aclDeleteText')}
    >
      <CardBody className="flex items-start gap-2">
        <code className="block min-w-0 flex-1 rounded-md bg-muted p-3 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
          {text}
        </code>
        <CopyButton text={text} label={t('aclCopy')} />
      </CardBody>
    </FoldedCard>
  );
}
