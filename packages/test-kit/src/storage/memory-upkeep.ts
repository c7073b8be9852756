import type { Upkeep } from '@sotto/core'
import { ok } from 'neverthrow'
import type { MemoryConnection, MemoryData } from '../stores/memory-data.ts'

export function createMemoryUpkeep({ data, answer, isClosed }: MemoryConnection): Upkeep {
  return {
    canWrite: () => answer(() => ok()),

    lastSweep: () => answer(() => ok(data.lastSweepMicros)),

    recordSweep: (atMicros) =>
      answer(() => {
        data.lastSweepMicros = atMicros
        return ok()
      }),

    lastWrite: () => answer(() => ok(latestOf(data))),

    oldestExpiry: () =>
      answer(() => {
        const expiries = [...data.secrets.values()].flatMap(
          ({ secret: { link } }) => link?.expiresAtMicros ?? [],
        )
        return ok(expiries.length === 0 ? undefined : Math.min(...expiries))
      }),

    countRows: () =>
      answer(() => {
        const isShareable = ({ secret }: { readonly secret: { readonly link?: unknown } }): boolean =>
          secret.link !== undefined
        const secrets = [...data.secrets.values()].filter(isShareable).length
        return ok({
          accounts: data.accounts.size + data.erasing.size,
          folders: data.folders.size,
          drafts: data.secrets.size - secrets,
          secrets,
          requests: data.requests.size,
          files: data.files.size,
          fileBytes: data.counted.values().reduce((sum, { bytes }) => sum + bytes, 0),
        })
      }),

    examine: () =>
      Promise.resolve([
        isClosed()
          ? { check: 'database', ok: false, text: 'it is closed' }
          : { check: 'database', ok: true, text: 'it is in memory' },
      ]),
  }
}

function latestOf(data: MemoryData): number | undefined {
  const {
    accounts,
    folders,
    secrets,
    requests,
    accessTokens,
    passwords,
    sessions,
    invitations,
    emailChanges,
    webhooks,
    identities,
    passkeys,
  } = data
  const times = [
    data.lastSweepMicros ?? -Infinity,
    ...accounts.values().map(({ account }) => account.createdAtMicros),
    ...folders.values().map(({ createdAtMicros }) => createdAtMicros),
    ...secrets
      .values()
      .map(({ secret }) => Math.max(secret.createdAtMicros, secret.link?.createdAtMicros ?? 0)),
    ...requests.values().map(({ request }) => request.createdAtMicros),
    ...accessTokens
      .values()
      .map(({ token }) => Math.max(token.createdAtMicros, token.lastUsedAtMicros ?? -Infinity)),
    ...passwords.values().map(({ createdAtMicros }) => createdAtMicros),
    ...invitations.values().map(({ invitation }) => invitation.createdAtMicros),
    ...emailChanges.values().map(({ change }) => change.createdAtMicros),
    ...webhooks.values().map(({ createdAtMicros }) => createdAtMicros),
    ...identities
      .values()
      .map(({ identity }) => Math.max(identity.createdAtMicros, identity.lastUsedAtMicros ?? -Infinity)),
    ...passkeys
      .values()
      .map(({ passkey }) => Math.max(passkey.createdAtMicros, passkey.lastUsedAtMicros ?? -Infinity)),
    ...sessions
      .values()
      .map(({ session }) =>
        Math.max(session.createdAtMicros, session.reauthenticatedAtMicros, session.lastUsedAtMicros),
      ),
  ]
  const latest = Math.max(...times)
  return latest === -Infinity ? undefined : latest
}
