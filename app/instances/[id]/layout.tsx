import type { ReactNode } from 'react';
import { InstanceGate } from '@/components/instances/instance-gate';

export default async function Layout({ children, params }: { children: ReactNode; params: Promise<{ id: string }> }) {
  return <InstanceGate id={(await params).id}>{children}</InstanceGate>;
}
