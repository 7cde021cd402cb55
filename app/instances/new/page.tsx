import { RegisterPage } from '@/components/instances/registration/register-page';

export default function Page() {
  return <RegisterPage />;
}
