import { existsSync, readdirSync } from 'node:fs';
import { run, stop, which } from '../run.mjs';
import { aptInstall, howToInstall, isDebian, isRoot } from './system-package.mjs';

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const CHINESE = /cjk|sourcehan|wqy|droidsansfallback/i;

/** Asked of fontconfig where its command is there, else by the names of files. */
async function hasChinese() {
  if (which('fc-list')) return (await run('fc-list', [':lang=zh'], { quiet: true })).output.trim() !== '';
  const files = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  return files.some((file) => CHINESE.test(file));
}

/** Chinese letters for the pictures of pages: without, boxes of another width stand there and lines break elsewhere. */
export async function ensureFonts() {
  // Other systems bring them along.
  if (process.platform !== 'linux' || (await hasChinese())) return;
  if (isDebian() && isRoot() && (await aptInstall('fonts-noto-cjk')) && (await hasChinese())) return;
  const names = {
    apt: 'fonts-noto-cjk',
    dnf: 'google-noto-sans-cjk-fonts',
    apk: 'font-noto-cjk',
    pacman: 'noto-fonts-cjk',
    brew: '--cask font-noto-sans-cjk',
  };
  stop(`The pictures of the Chinese pages need a Chinese font. ${howToInstall(names)}`);
}
