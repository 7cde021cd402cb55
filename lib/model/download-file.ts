/** A file that a verb makes while it is sent. */
export interface DownloadFile {
  stream: ReadableStream<Uint8Array>;
  filename: string;
  contentType: string;
  /** Whether what allowed it still does, apart from who asks: to be asked while it is sent. */
  stillAllowed: () => Promise<boolean>;
}
