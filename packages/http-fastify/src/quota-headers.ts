import type { ServerResponse } from 'node:http'
import { peekQuota, type Ports, type Quota } from '@sotto/core'
import type { FastifyReply } from 'fastify'
import { addressBucket } from './address.ts'

export type QuotaPorts = Pick<Ports, 'quota' | 'digests' | 'clock' | 'limits'>

/** What the answers to requests under way show, for those who must answer in Fastify's stead. */
const shownQuotas = new WeakMap<ServerResponse, Quota>()

/** Shows the caller's quota on the answer, whatever it will be. */
export function showQuota(reply: FastifyReply, quota: Quota): void {
  shownQuotas.set(reply.raw, quota)
  reply.headers(quotaHeaders(quota))
}

/** What an answer under way shows; `undefined` when its caller is not known yet. */
export function shownQuota(response: ServerResponse | undefined): Quota | undefined {
  return response && shownQuotas.get(response)
}

export function quotaHeaders({ limit, remaining }: Quota): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
}

/** The quota of an address, without drawing on it: for answers that are given before anybody knows who calls. */
export async function quotaOfAddress(ports: QuotaPorts, address: string | undefined): Promise<Quota> {
  const quota = await peekQuota(ports, { bucket: { kind: 'address', address: addressBucket(address) } })
  return quota.unwrapOr(spentQuota(ports))
}

/** What is shown when nothing is left, or when the counters cannot be asked and every request is refused therefore. */
export function spentQuota({ limits }: Pick<Ports, 'limits'>): Quota {
  return { limit: limits.quota.perMinute, remaining: 0 }
}
