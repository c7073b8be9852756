import {
  createAccessToken,
  createAccount,
  createFolder,
  listAccounts,
} from '../../../packages/core/src/index.ts'
import { openPlace, type Place } from '../support/place.ts'
import { emptyFigures, type Figures, type Ledger } from './ledger.ts'

/** Makes an account with a folder and a token, in an installation that may be there already, whatever state a kill left it in. */
export async function prepareLedger(place: Place, figures: Figures = emptyFigures()): Promise<Ledger> {
  const installation = await openPlace(place)
  try {
    const { ports } = installation
    // Reads whatever is there: it must decrypt.
    for await (const slice of listAccounts(ports)) slice._unsafeUnwrap()
    const { id: accountId } = (await createAccount(ports, { email: 'crash@example.org' }))._unsafeUnwrap()
    const { id: folderId } = (await createFolder(ports, { accountId, label: 'Crashes' }))._unsafeUnwrap()
    const { token } = (await createAccessToken(ports, { accountId, name: 'campaign' }))._unsafeUnwrap()
    const calls = { least: 0, most: 0 }
    return { accountId, folderId, bearer: token, entries: new Map(), calls, violations: [], figures }
  } finally {
    await installation.close()
  }
}
