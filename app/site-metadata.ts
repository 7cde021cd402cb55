import type { Metadata, Viewport } from 'next';

export const PREVIEW = { url: '/preview.png', width: 1200, height: 630 };

/** Metadata that a browser, a phone or a link preview reads. The files are drawn by scripts/icons.mjs. */
export function buildSiteMetadata(origin: string, description: string): Metadata {
  return {
    metadataBase: new URL(origin),
    title: { default: 'Colonnade', template: '%s · Colonnade' },
    applicationName: 'Colonnade',
    description,
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        { url: '/icon.svg', type: 'image/svg+xml' },
        { url: '/icon-32.png', sizes: '32x32', type: 'image/png' },
        { url: '/favicon.ico', sizes: '32x32' },
      ],
      apple: [{ url: '/apple-touch-icon.png', sizes: '180x180' }],
    },
    openGraph: { type: 'website', siteName: 'Colonnade', title: 'Colonnade', description, images: [PREVIEW] },
    twitter: { card: 'summary_large_image', title: 'Colonnade', description, images: [PREVIEW.url] },
    // Pages show the names of keys, so nothing may be indexed.
    robots: { index: false, follow: false },
  };
}

export const SITE_VIEWPORT: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0c0d10' },
  ],
};
