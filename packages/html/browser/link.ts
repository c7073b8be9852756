import { keyText, lockOf, proofOf, readKey, type Bytes } from '@sotto/sealed'
import { show } from './states.ts'

// The page of a link that is not opened yet. Of a sealed secret it shows the form only to who has the key, and sends a proof of it.

const form = document.querySelector<HTMLFormElement>('form[data-when]')

/** The links that lead to this page again. A browser would not load the very same address, of which only the fragment can differ. */
const { origin, pathname } = location
const links = [...document.links].filter(
  (link) => link.origin === origin && link.pathname === pathname && !link.hash,
)
for (const link of links)
  if (link.search === location.search) link.href += link.href.includes('?') ? '&' : '?'

let key: Bytes | undefined

/** Takes the key from the address, as the page is shown and when its fragment changes. */
const look = (): void => {
  // A refused form leaves behind the key what it would have opened with.
  const hash = location.hash.replace(/~[\w-]{22}$/, '')
  if (hash) history.replaceState(null, '', hash)
  key = readKey(hash.slice(1))
  for (const link of links) link.hash = hash
  const state = isSecureContext ? 'ready' : 'insecure'
  show(key ? state : 'incomplete')
}
addEventListener('hashchange', look)
look()

/** What is sent instead of what was typed. */
let proven: { readonly proof: string; readonly password: string | undefined } | undefined

/** Proves the key, and makes the password that the server checks. The opened page finds in its address what decrypts, which is not sent. */
const prove = async (form: HTMLFormElement, key: Bytes): Promise<void> => {
  const field = form.querySelector<HTMLInputElement>('[name=password]')
  const { secret, password } = await lockOf(key, field?.value)
  form.action = `#${keyText(key)}${password ? `~${keyText(secret)}` : ''}`
  proven = { proof: await proofOf(key), password }
  // Browsers ignore a form that is sent while a promise goes on.
  setTimeout(() => form.requestSubmit())
}

form?.addEventListener('submit', (event) => {
  if (proven || !key) return
  event.preventDefault()
  event.stopImmediatePropagation()
  void prove(form, key)
})
form?.addEventListener('formdata', ({ formData }) => {
  if (!proven) return
  formData.set('proof', proven.proof)
  if (proven.password) formData.set('password', proven.password)
  proven = undefined
})
