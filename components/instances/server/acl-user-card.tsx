import { useTranslations } from 'use-intl';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { DELETE_COMMANDS, SCAN_COMMANDS } from '@/lib/model/servers/acl-users';

/**
 * The user a scan or a deletion needs and no more, for copy and paste. Subcommands that a version does not know make it
 * refuse the line.
 */
export function AclUserCard({ version, may }: { version: string | null; may: 'scan' | 'delete' }) {
  const t = useTranslations('instances.server');
  const [major = 7, minor = 0] = (version ?? '7.0').split('.').map(Number);
  const newer = major > 7 || (major === 7 && minor >= 2) ? ' +client|setinfo +client|no-touch' : '';
  // Expiries of single fields of a hash: without these a deletion stops rather than lose them.
  const fields = may === 'delete' && (major > 7 || (major === 7 && minor >= 4)) ? ' +hpexpiretime +hpexpireat' : '';
  const text = `ACL SETUSER colonnade_${may} reset on >PASSWORD ~* -@all ${may === 'scan' ? SCAN_COMMANDS : DELETE_COMMANDS}${newer}${fields}`;
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
