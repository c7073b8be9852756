import type { Finding } from '@sotto/core'

export function well(check: string, text: string): Finding {
  return { check, ok: true, text }
}

export function wrong(check: string, text: string): Finding {
  return { check, ok: false, text }
}

export function unchecked(check: string, text: string): Finding {
  return { check, ok: undefined, text: `not checked: ${text}` }
}

/** Bytes as people read them: `1.2 MB`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}
