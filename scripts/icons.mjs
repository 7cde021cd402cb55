/**
 * Draws the icons of public/ from icon.svg, in the sizes that browsers, phones and link previews ask for. Run it by
 * hand after changing the drawing: `node scripts/icons.mjs`. The files are committed, so that a build needs no browser.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './pictures/take.mjs';
import { root } from './run.mjs';

const BLUE = '#3d4fd1';
const svg = readFileSync(join(root, 'public/icon.svg'), 'utf8');
const renderIcon = (size) => svg.replace('<svg ', `<svg width="${size}" height="${size}" `);
/** The icon on a background without corners. The platform cuts its own shape, up to a fifth at each side. */
const renderFull = (
  size,
) => `<div style="background:${BLUE};width:${size}px;height:${size}px;display:grid;place-items:center">
  ${renderIcon(Math.round(size * 0.8))}</div>`;
const preview = `<div style="background:#0c0d10;color:#fff;width:1200px;height:630px;display:flex;gap:56px;align-items:center;
  padding:0 96px;box-sizing:border-box;font-family:sans-serif">${renderIcon(240)}
  <div><div style="font-size:96px;font-weight:700">Colonnade</div>
  <div style="font-size:40px;color:#b4b8c5;margin-top:16px">Redis key governance</div></div></div>`;

const browser = await launchBrowser();
const page = await browser.newPage();
async function draw(html, width, height = width) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<body style="margin:0">${html}</body>`);
  return page.screenshot({ omitBackground: true });
}
const save = (name, bytes) => writeFileSync(join(root, 'public', name), bytes);

for (const size of [32, 192, 512]) save(`icon-${size}.png`, await draw(renderIcon(size), size));
save('apple-touch-icon.png', await draw(renderFull(180), 180));
save('icon-maskable-512.png', await draw(renderFull(512), 512));
save('preview.png', await draw(preview, 1200, 630));
save('favicon.ico', wrapInIco(readFileSync(join(root, 'public/icon-32.png')), 32));
await browser.close();

/** Wraps one PNG in an ICO file: header, one directory entry, the PNG. */
function wrapInIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
