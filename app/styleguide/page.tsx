import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { StyleguidePage } from '@/components/styleguide/styleguide-page';

export const generateMetadata = () => pageTitle('styleguide');

function Page() {
  return <StyleguidePage />;
}

export default withMessages('/styleguide', Page);
