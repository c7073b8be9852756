import { ProviderFailed } from './failure.ts'

/** Asks once for all callers that ask at the same time. No caller waits for longer than its own signal allows. */
export function createShared<T>(ask: () => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let underway: Promise<T> | undefined
  return (signal) => {
    underway ??= ask().finally(() => (underway = undefined))
    return until(signal, underway)
  }
}

function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new ProviderFailed('timeout'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
