import type { ReactNode } from 'react';
import { InstanceFrame } from '@/components/instances/instance-frame';

export default async function Layout({ children, params }: { children: ReactNode; params: Promise<{ id: string }> }) {
  return <InstanceFrame id={(await params).id}>{children}</InstanceFrame>;
}
