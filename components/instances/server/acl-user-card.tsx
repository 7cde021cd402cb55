import { useTranslations } from 'use-intl';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { type AclServer, type AclUser, buildAclUserLine } from '@/lib/model/servers/acl-users';

/** An ACL user with exactly the permissions that a scan or a deletion needs, for copy and paste. */
export function AclUserCard({ server, may }: { server: AclServer; may: AclUser }) {
  const t = useTranslations('instances.server');
  const text = buildAclUserLine(may, server);
  return (
    <Card>
      <CardHeader
        title={t(may === 'scan' ? 'aclTitle' : 'aclDeleteTitle')}
        description={t(may === 'scan' ? 'aclText' : 'aclDeleteText')}
        actions={<CopyButton text={text} label={t('aclCopy')} />}
      />
      <CardBody>
        <code className="block rounded-md bg-muted p-3 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
          {text}
        </code>
      </CardBody>
    </Card>
  );
}
