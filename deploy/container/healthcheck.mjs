// Exit code 0 when the service can write. An image FROM scratch has no curl.
const answer = await fetch(`http://127.0.0.1:${process.env['SOTTO_PORT'] ?? '3000'}/readyz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => undefined)
process.exitCode = answer?.ok ? 0 : 1
