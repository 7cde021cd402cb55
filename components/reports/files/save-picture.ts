import { drawPicture, type PictureFormat } from '@/components/charts/picture/draw-picture';
import { saveFile } from './save-file';

/** Saves a picture of the content of `place`, with its title, and below it the instance and the details of the data. */
export async function savePicture(picture: {
  place: HTMLElement;
  title: string;
  instance: string;
  details: readonly string[];
  format: PictureFormat;
}): Promise<void> {
  const { place, title, instance, details, format } = picture;
  const source = ['Colonnade', instance, ...details].filter((part) => part !== '');
  const blob = await drawPicture(place, { title, source }, format);
  saveFile(blob, `${`colonnade-${instance}-${title}`.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${format}`);
}
