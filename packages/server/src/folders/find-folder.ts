import type { Client } from '@sotto/client'
import { parseUuid } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { printable } from '../shared/printable.ts'
import { called } from '../remote/remote-command.ts'
import type { RemoteError } from '../errors/remote-errors.ts'

/** The id of the folder with this id or label; of the only folder when there is neither. */
export async function findFolder(
  client: Client,
  labelOrId: string | undefined,
): Promise<Result<string, RemoteError>> {
  // The service checks an id, so a token that may only write is enough.
  if (labelOrId !== undefined && parseUuid(labelOrId) !== undefined) return ok(labelOrId)
  const folders = await called('share', (signal) => client.listFolders({ signal }))
  if (folders.isErr()) return err(folders.error)
  const fitting = folders.value.filter(({ label }) => labelOrId === undefined || label === labelOrId)
  const [only] = fitting
  if (only === undefined) {
    return err({ code: 'folder_unknown', labels: folders.value.map(({ label }) => printable(label)) })
  }
  if (fitting.length === 1) return ok(only.id)
  const choices = fitting.map(({ id, label }) => `${id}  ${printable(label)}`)
  return err({ code: 'folder_ambiguous', choices })
}
