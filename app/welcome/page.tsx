import { pageTitle } from '@/app/page-title';
import { WelcomePage } from '@/components/account/welcome-page';

export const generateMetadata = () => pageTitle('account', 'welcome');

export default function Page() {
  return <WelcomePage />;
}
