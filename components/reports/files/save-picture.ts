import { drawPicture, type PictureFormat } from '@/components/charts/picture/draw-picture';
import { saveFile } from './save-file';

/** Saves a picture of the content of `place`, with its title, and the source of the data below it. */
export async function savePicture(of: {
  place: HTMLElement;
  title: string;
  instance: string;
  beside: readonly string[];
  format: PictureFormat;
}): Promise<void> {
  const { place, title, instance, format } = of;
  const source = ['Colonnade', instance, ...of.beside].filter((part) => part !== '');
  const blob = await drawPicture(place, { title, source }, format);
  saveFile(blob, `${`colonnade-${instance}-${title}`.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${format}`);
}
