/** `npm test`: the short form of every test, from a fresh clone. `npm run test:all` is the long one. */
import { endWithNpm } from './end-with-npm.mjs';
import { build, finishStages, installAll, runBrowserTests, runVitest, stage } from './testing/stages.mjs';
import { verify } from './verify.mjs';

endWithNpm();
await installAll();
await stage('verify', verify);
// Some integration tests start the built server, so the build comes first.
const built = await build();
await stage('integration', () => runVitest('integration'));
await stage('postgres', () => runVitest('postgres'));
await runBrowserTests(built);
process.exit(finishStages().passed ? 0 : 1);
