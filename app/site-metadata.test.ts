import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildSiteMetadata, PREVIEW } from './site-metadata';

const metadata = buildSiteMetadata('http://127.0.0.1:3000', 'About');
const manifest = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')) as {
  icons: { src: string; sizes: string; purpose?: string }[];
};
const icons = metadata.icons as Record<'icon' | 'apple', { url: string; sizes?: string }[]>;
const named: { file: string; sizes?: string }[] = [
  ...[...icons.icon, ...icons.apple].map(({ url, sizes }) => ({ file: url, sizes })),
  ...manifest.icons.map(({ src, sizes }) => ({ file: src, sizes })),
  { file: PREVIEW.url, sizes: `${PREVIEW.width}x${PREVIEW.height}` },
  { file: String(metadata.manifest) },
  { file: '/robots.txt' },
];

/** Reads the size from the header of the file; null: unknown format. */
function readSize(bytes: Buffer): string | null {
  if (bytes.toString('latin1', 1, 4) === 'PNG') return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
  if (bytes.readUInt32LE(0) === 0x0001_0000) return `${bytes.readUInt8(6)}x${bytes.readUInt8(7)}`;
  return null;
}

describe('what a browser or a link preview asks for', () => {
  it.each(named)('$file is there in the size that is named ($sizes)', ({ file, sizes }) => {
    expect(existsSync(`public${file}`)).toBe(true);
    const size = readSize(readFileSync(`public${file}`));
    if (/\.(png|ico)$/.test(file)) expect(size).toBe(sizes);
    else expect(size).toBeNull();
  });

  it('the manifest has an icon that may be masked, and the usual sizes', () => {
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  });

  it('keeps out of every index', () => {
    expect(metadata.robots).toEqual({ index: false, follow: false });
    expect(readFileSync('public/robots.txt', 'utf8')).toContain('Disallow: /');
  });
});
