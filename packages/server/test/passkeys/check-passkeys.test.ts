import { errAsync, okAsync } from 'neverthrow'
import t from 'tap'
import { checkPasskeys } from '../../src/passkeys/check-passkeys.ts'

const baseUrl = 'https://sotto.example:8443'

const check = (hosts: Readonly<Record<string, number>>, url: string | undefined = baseUrl) => {
  const found = Object.entries(hosts).map(([rpId, passkeys]) => ({ rpId, passkeys }))
  return checkPasskeys({ passkeys: { hosts: () => okAsync(found) }, baseUrl: url })
}

// Promise (Installing and operating): `doctor` says when the base URL is on another host than the passkeys of its owners
t.test('passkeys for another host than the base URL’s are reported, with how many', async (t) => {
  t.strictSame(await check({}), [], 'where there are none nothing is said')
  t.match(await check({ 'sotto.example': 3 }), [{ check: 'passkeys', ok: true }])
  const found = await check({ 'old.example': 1, 'older.example': 2, 'sotto.example': 3 })
  t.match(found, [
    {
      ok: false,
      text: /^1 is for old\.example, and SOTTO_BASE_URL is on sotto\.example: nobody can sign in/,
    },
    { ok: false, text: /^2 are for older\.example/ },
  ])
})

t.test('they are not checked when the database cannot be read, or the settings are not valid', async (t) => {
  const hosts = () => errAsync({ code: 'storage_unavailable', reason: 'busy' } as const)
  t.match(await checkPasskeys({ passkeys: { hosts }, baseUrl }), [{ ok: undefined }])
  t.match(
    await checkPasskeys({
      passkeys: { hosts: () => okAsync([{ rpId: 'a', passkeys: 1 }]) },
      baseUrl: undefined,
    }),
    [{ ok: undefined }],
  )
})
