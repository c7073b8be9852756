import { isIP } from 'node:net'
import { hasUnseen, type WebhookUrlRefused } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { AddressRules } from './addresses.ts'

const urlCharactersMax = 2048

/**
 * The URL of a webhook, if messages may be posted to it as far as its text tells. `http:` passes where ranges are allowed: for an address
 * that one of them names, and for every name, whose addresses are then checked when the connection is made.
 */
export function readWebhookUrl(text: string, rules: AddressRules): Result<URL, WebhookUrlRefused> {
  const url = parsed(text)
  if (!url) return err({ rule: 'not_a_url' })
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err({ rule: 'not_https' })

  const host = hostOf(url)
  if (!mayBeAllowed(host, rules)) return err({ rule: 'address_not_allowed' })
  if (url.protocol === 'http:' && !mayBeNamed(host, rules)) return err({ rule: 'not_https' })
  return ok(url)
}

/** The host as it is looked up or connected to: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Names that never leave the machine (RFC 6761, section 6.3). */
export function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(name)
}

/** What a name that {@link isLocalhost} stands for. */
export const loopbackAddresses = ['127.0.0.1', '::1'] as const

function parsed(text: string): URL | undefined {
  // The URL parser would skip or rewrite these characters, and nobody writes them on purpose.
  if (text.length > urlCharactersMax || /[\s\\#]/.test(text) || hasUnseen(text)) return undefined
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return undefined
  return url
}

function mayBeAllowed(host: string, rules: AddressRules): boolean {
  if (isLocalhost(host)) return loopbackAddresses.some((address) => rules.isAllowed(address))
  return isIP(host) === 0 || rules.isAllowed(host)
}

function mayBeNamed(host: string, rules: AddressRules): boolean {
  return isIP(host) === 0 ? !rules.isEmpty : rules.isNamed(host)
}
