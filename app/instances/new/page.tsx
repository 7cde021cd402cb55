import { RegisterPage } from '@/components/instances/register-page';

export default function Page() {
  return <RegisterPage />;
}
