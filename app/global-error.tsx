'use client';

/** The last error page: the layout itself failed, so neither languages nor styles can be relied on. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', padding: '4rem 1.5rem', textAlign: 'center' }}>
        <title>Colonnade</title>
        <h1 style={{ fontSize: '1.1rem' }}>Something unexpected happened · 发生了意外错误</h1>
        <p>The server log has the details. · 详情见服务器日志。</p>
        <button type="button" onClick={reset} style={{ padding: '0.4rem 0.9rem', font: 'inherit' }}>
          Try again · 重试
        </button>
      </body>
    </html>
  );
}
