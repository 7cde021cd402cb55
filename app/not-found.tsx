import { PageMissing } from '@/components/layout/page-missing';

export default function NotFound() {
  return <PageMissing />;
}
