import type { Finding } from '@sotto/core'
import { isLoopback } from '../config/setting-rules.ts'
import type { Settings } from '../config/settings.ts'

/** Whether browsers can encrypt and decrypt on the pages. They do so by https, or by http on their own machine. Finds nothing where they can. */
export function checkSealing({
  baseUrl,
  linkBaseUrl,
}: Pick<Settings, 'baseUrl' | 'linkBaseUrl'>): readonly Finding[] {
  const urls = { SOTTO_BASE_URL: baseUrl, SOTTO_LINK_BASE_URL: linkBaseUrl }
  const [name] = Object.entries(urls).find(([, url]) => isInsecure(new URL(url))) ?? []
  if (name === undefined) return []
  const text = `${name} is http: browsers encrypt and decrypt by https only, so put a proxy that speaks TLS before the server`
  return [{ check: 'encryption in the browser', ok: undefined, text }]
}

function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname)
}
