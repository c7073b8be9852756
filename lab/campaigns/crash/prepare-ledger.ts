import { expectOk } from '@sotto/test-kit'
import { addOwner } from '../support/owner.ts'
import { openPlace, type Place } from '../support/place.ts'
import { emptyFigures, type Figures, type Ledger } from './ledger.ts'

/** Creates an account with a folder and a token. The installation may exist already, in any state that a kill left it in. */
export async function prepareLedger(place: Place, figures: Figures = emptyFigures()): Promise<Ledger> {
  const installation = await openPlace(place)
  try {
    const { sotto } = installation
    // Whatever exists must decrypt.
    for await (const page of sotto.listAccounts()) expectOk(page)
    const { accountId, folderId, token } = await addOwner(sotto)
    const calls = { least: 0, most: 0 }
    const allowed = {
      countsMayBeForgotten: false,
      readsMayFail: false,
      diskMayBeFull: false,
      ticketsMayEnd: false,
    }
    const seen = { entries: new Map(), calls, ...allowed, violations: [], figures }
    return { accountId, folderId, bearer: token, ...seen }
  } finally {
    await installation.close()
  }
}
