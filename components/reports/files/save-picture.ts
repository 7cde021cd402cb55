import { type PictureFormat, pictureOf } from '@/components/charts/picture/picture-of';
import { saveFile } from './save-file';

/**
 * Saves a picture of what stands in `place`, with its title and where it comes from below. `draw`: shows what is only
 * drawn for the picture, and takes it away. false: there is nothing to save.
 */
export async function savePicture(of: {
  place: HTMLElement | null;
  draw: (on: boolean) => void;
  title: string;
  instance: string;
  beside: readonly string[];
  format: PictureFormat;
}): Promise<boolean> {
  const { place, draw, title, instance, format } = of;
  const source = ['Colonnade', instance, ...of.beside].filter((part) => part !== '');
  draw(true);
  const made = place && pictureOf(place, { title, source }, format);
  const blob = await Promise.resolve(made).finally(() => draw(false));
  if (!blob) return false;
  saveFile(blob, `${`colonnade-${instance}-${title}`.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${format}`);
  return true;
}
