import type { ServerResponse } from 'node:http'
import type { Quota } from '@sotto/core'
import type { FastifyReply } from 'fastify'
import type { QuotaUseCases } from '../../use-cases.ts'
import { addressBucket } from '../request/addresses.ts'

/** The quota on an answer, for the handlers that have to answer instead of Fastify. */
const shownKey = Symbol('shown quota')

type Answer = ServerResponse & { [shownKey]?: Quota }

/** Puts the caller's quota on the answer, whatever the answer will be. */
export function showQuota(reply: FastifyReply, quota: Quota): void {
  const answer: Answer = reply.raw
  answer[shownKey] = quota
  reply.headers(quotaHeaders(quota))
}

/** The quota that is on the answer of a running request; `undefined` while its caller is not known. */
export function shownQuota(response: Answer | undefined): Quota | undefined {
  return response?.[shownKey]
}

export function quotaHeaders({ limit, remaining }: Quota): Record<string, string> {
  return { 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(remaining) }
}

/** The quota of an address, without counting a call: for answers that are given before the caller is known. */
export async function quotaOfAddress(sotto: QuotaUseCases, address: string | undefined): Promise<Quota> {
  const quota = await sotto.peekQuota({ bucket: { kind: 'address', address: addressBucket(address) } })
  return quota.unwrapOr(spentQuota(sotto))
}

/** What is shown when nothing is left, or when the counters cannot be read and every request is therefore refused. */
export function spentQuota({ policy }: Pick<QuotaUseCases, 'policy'>): Quota {
  return { limit: policy.quota.perMinute, remaining: 0 }
}
