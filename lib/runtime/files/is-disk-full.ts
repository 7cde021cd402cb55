const CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/**
 * Whether a failed write means that the disk, or this user's share of it, is full. DuckDB reports it in its message
 * only.
 */
export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code !== undefined && CODES.has(code)) return true;
  const text = error instanceof Error ? error.message : String(error);
  return /no space left|disk quota exceeded|max_temp_directory_size/i.test(text);
}
