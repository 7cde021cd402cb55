import { existsSync, readdirSync } from 'node:fs';
import { run, stop, which } from '../run.mjs';
import { aptInstall, howToInstall, mayInstall } from './system-package.mjs';

const FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const CHINESE = /cjk|sourcehan|wqy|droidsansfallback/i;

/**
 * Whether a Chinese font is installed: according to fontconfig if `fc-list` is there, else by the names of font files.
 */
async function hasChinese() {
  if (which('fc-list')) return (await run('fc-list', [':lang=zh'], { quiet: true })).output.trim() !== '';
  const files = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }),
  );
  return files.some((file) => CHINESE.test(file));
}

/**
 * Installs a Chinese font for the pictures of pages. Without one, letters are drawn as boxes of another width and lines
 * break at other places.
 */
export async function ensureFonts() {
  // Systems other than Linux include such fonts.
  if (process.platform !== 'linux' || (await hasChinese())) return;
  if (mayInstall() && (await aptInstall('fonts-noto-cjk')) && (await hasChinese())) return;
  const names = {
    apt: 'fonts-noto-cjk',
    dnf: 'google-noto-sans-cjk-fonts',
    apk: 'font-noto-cjk',
    pacman: 'noto-fonts-cjk',
    brew: '--cask font-noto-sans-cjk',
  };
  stop(`The pictures of the Chinese pages need a Chinese font. ${howToInstall(names)}`);
}
