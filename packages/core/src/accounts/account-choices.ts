import { underActiveKey } from '../shared/active-key.ts'
import { invalid, shortNameError } from '../shared/fields.ts'
import { foundOr } from '../shared/found-or.ts'
import { newId } from '../shared/ids.ts'
import { aBoolean, aString, optional } from '../shared/inputs.ts'
import { parseLanguage } from '../shared/language.ts'
import { account } from '../shared/shapes.ts'
import { useCase } from '../shared/use-case.ts'
import { accountNotFound } from './errors.ts'

/**
 * Chooses the language of an account's pages and mails.
 * @errors `fields_invalid` for a language that there are no texts in; `account_not_found`
 */
export const setLanguage = useCase({
  needs: ['accounts.setLanguage'],
  takes: {
    ...account,
    /** The tag of one of `languages`; `undefined` follows the browser. */
    language: optional(aString),
  },
  async run({ accounts }, { accountId, language }) {
    const parsed = language === undefined ? undefined : parseLanguage(language)
    if (language !== undefined && parsed === undefined)
      return invalid('language', { rule: 'unknown_language' })
    return accounts.setLanguage(accountId, parsed).andThen(foundOr(accountNotFound))
  },
})

/**
 * Sets the name under which recipients see an account, or erases it. Without one they see none.
 * @errors `fields_invalid`, `account_not_found`
 */
export const setDisplayName = useCase({
  needs: [
    'accounts.setDisplayName',
    'textCipher.encryptText',
    'keyRing.follow',
    'clock.nowMicros',
    'random.bytes',
  ],
  takes: {
    ...account,
    /** 1 to 60 code points, nothing that people do not see; `undefined` erases the name. */
    displayName: optional(aString),
  },
  async run({ accounts, textCipher, keyRing, clock, random }, { accountId, displayName }) {
    const name = displayName?.trim()
    const broken = name === undefined ? undefined : shortNameError(name)
    if (broken !== undefined) return invalid('displayName', broken)
    const id = newId(random, clock.nowMicros())
    const found = await underActiveKey(keyRing, () => {
      const place = { column: 'account.display_name', accountId, rowId: id } as const
      return accounts.setDisplayName(
        accountId,
        name === undefined ? undefined : { id, name: textCipher.encryptText(place, name) },
      )
    })
    return found.andThen(foundOr(accountNotFound))
  },
})

/**
 * Remembers whether an owner wants to hear of opens, so that the page for the next secret proposes it. `authenticateSession` tells it.
 * @errors `account_not_found`
 */
export const rememberNotify = useCase({
  needs: ['accounts.setNotifies'],
  takes: {
    ...account,
    /** What the owner chose for the secret that was created just now. */
    notify: aBoolean,
  },
  run: async ({ accounts }, { accountId, notify }) =>
    accounts.setNotifies(accountId, notify).andThen(foundOr(accountNotFound)),
})
