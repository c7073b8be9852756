import { err, ok } from 'neverthrow'
import type { DataCorrupted } from '../shared/errors.ts'
import { aNumber, aString } from '../shared/inputs.ts'
import { noLinkToken } from '../shared/link-token.ts'
import { isOpaqueToken } from '../shared/opaque-token.ts'
import { useCase } from '../shared/use-case.ts'
import { fileNotFound } from './errors.ts'
import { splitNote } from './file-rules.ts'
import { readableFile, readFileNeeds } from './tickets.ts'

/**
 * A file of an opened link. To read it, as often as wanted, costs no further open.
 * @errors `file_not_found`, the same for an unknown, malformed or ended ticket, for one whose secret was destroyed by its owner, and for a number
 * that no file has
 */
export const readTicket = useCase({
  needs: [...readFileNeeds, 'secretFiles.findTicket', 'textCipher.unsealText', 'clock.nowMicros'],
  takes: {
    ticket: aString,
    /** The place of the file in the answer that the open got, from 1. */
    number: aNumber,
  },
  async run(deps, { ticket, number }) {
    const token = isOpaqueToken(ticket) ? ticket : noLinkToken
    const digest = deps.digests.opaqueTokenDigest('file-ticket', token)
    const looked = await deps.secretFiles.findTicket(digest, deps.clock.nowMicros())
    if (looked.isErr()) return looked
    const found = looked.value
    if (found === undefined) return err(fileNotFound)
    const unsealed = deps.textCipher.unsealText({ accountId: found.accountId, token }, found.sealed)
    const split = unsealed === undefined ? undefined : splitNote(unsealed)
    if (split === undefined)
      return err<never, DataCorrupted>({
        code: 'data_damaged',
        what: 'file_ticket.sealed',
        id: found.secretId,
      })
    const file = split.files[number - 1]
    return file === undefined ? err(fileNotFound) : ok(readableFile(deps, found, file))
  },
})
