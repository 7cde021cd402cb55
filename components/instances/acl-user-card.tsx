'use client';
import { useTranslations } from 'use-intl';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';

const COMMANDS =
  '+ping +hello +auth +select +client|setname +client|id +info +role +dbsize +scan +type +pttl +pexpiretime +exists +object|encoding +object|idletime +object|freq +memory|usage +strlen +hlen +llen +scard +zcard +xlen +cluster|slots +cluster|shards +cluster|nodes +readonly +command +latency|latest +slowlog|get +config|get';

/** The user a scan needs and no more, for copy and paste. Subcommands that a version does not know make it refuse the line. */
export function AclUserCard({ version }: { version: string | null }) {
  const t = useTranslations('instances.server');
  const [major = 7, minor = 0] = (version ?? '7.0').split('.').map(Number);
  const newer = major > 7 || (major === 7 && minor >= 2) ? ' +client|setinfo +client|no-touch' : '';
  const text = `ACL SETUSER colonnade_scan reset on >PASSWORD ~* -@all ${COMMANDS}${newer}`;
  return (
    <Card>
      <CardHeader
        title={t('aclTitle')}
        description={t('aclText')}
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
