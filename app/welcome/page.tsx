import { buildPageTitle } from '@/app/page-title';
import { WelcomePage } from '@/components/account/welcome-page';

export const generateMetadata = () => buildPageTitle('account', 'welcome');

export default function Page() {
  return <WelcomePage />;
}
