/** A file that is generated while it is being sent. */
export interface DownloadFile {
  stream: ReadableStream<Uint8Array>;
  filename: string;
  contentType: string;
  /** Whether the file may still be sent, apart from the rights of the person; checked again while it is being sent. */
  stillAllowed: () => Promise<boolean>;
}
