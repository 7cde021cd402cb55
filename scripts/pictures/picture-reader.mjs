/**
 * Turns pictures into blocks of 16 by 16 pixels: the mean colour of each, and its ink, which is how much its pixels
 * differ in brightness (0 if nothing is drawn). A reference is a small PNG of both: the colours above, the ink as grey
 * below.
 */
const BLOCK = 16;
/**
 * Colours are rounded to multiples of this. Finer steps would not help the comparison and would make the files larger.
 */
const STEP = 8;

/** Uses an empty page of a browser to read and write PNG. */
export class PictureReader {
  #page;

  constructor(page) {
    this.#page = page;
  }

  /** Returns the blocks of a picture. */
  reduce(png) {
    return this.#page.evaluate(reducePicture, { png: png.toString('base64'), block: BLOCK });
  }

  /** Returns the PNG file of a reference. */
  async write(blocks) {
    return Buffer.from(await this.#page.evaluate(writeReference, { ...blocks, step: STEP }), 'base64');
  }

  read(png) {
    return this.#page.evaluate(readReference, { png: png.toString('base64') });
  }
}

async function reducePicture({ png, block }) {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (one) => one.charCodeAt(0))]));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const [columns, rows] = [Math.ceil(width / block), Math.ceil(height / block)];
  const [colours, ink] = [[], []];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const sum = [0, 0, 0];
      let [count, brightnessSum, squareSum] = [0, 0, 0];
      for (let y = row * block; y < Math.min(height, (row + 1) * block); y++)
        for (let x = column * block; x < Math.min(width, (column + 1) * block); x++) {
          const at = 4 * (y * width + x);
          for (let channel = 0; channel < 3; channel++) sum[channel] += data[at + channel];
          const brightness = 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2];
          brightnessSum += brightness;
          squareSum += brightness * brightness;
          count++;
        }
      for (const channelSum of sum) colours.push(Math.round(channelSum / count));
      ink.push(Math.round(Math.sqrt(Math.max(0, squareSum / count - (brightnessSum / count) ** 2))));
    }
  return { columns, rows, colours, ink };
}

async function writeReference({ columns, rows, colours, ink, step }) {
  const canvas = new OffscreenCanvas(columns, 2 * rows);
  const image = new ImageData(columns, 2 * rows);
  const rounded = (value) => Math.min(255, step * Math.round(value / step));
  for (let at = 0; at < columns * rows; at++) {
    const below = 4 * (at + columns * rows);
    for (let channel = 0; channel < 3; channel++) {
      image.data[4 * at + channel] = rounded(colours[3 * at + channel]);
      image.data[below + channel] = rounded(ink[at]);
    }
    image.data[4 * at + 3] = 255;
    image.data[below + 3] = 255;
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
  const file = await canvas.convertToBlob({ type: 'image/png' });
  return btoa(String.fromCharCode(...new Uint8Array(await file.arrayBuffer())));
}

async function readReference({ png }) {
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (one) => one.charCodeAt(0))]));
  const [columns, rows] = [image.width, image.height / 2];
  const context = new OffscreenCanvas(columns, 2 * rows).getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, columns, 2 * rows);
  const [colours, ink] = [[], []];
  for (let at = 0; at < columns * rows; at++) {
    colours.push(data[4 * at], data[4 * at + 1], data[4 * at + 2]);
    ink.push(data[4 * (at + columns * rows)]);
  }
  return { columns, rows, colours, ink };
}
