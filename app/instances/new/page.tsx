import { withMessages } from '@/app/with-messages';
import { RegisterPage } from '@/components/instances/registration/register-page';

function Page() {
  return <RegisterPage />;
}

export default withMessages('/instances/new', Page);
