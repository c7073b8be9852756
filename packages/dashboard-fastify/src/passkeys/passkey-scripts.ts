import type { ElementScript } from '../shared/scripts.ts'

/*
 * Parts for the scripts of pages. Browsers have functions that turn JSON into what WebAuthn takes, but not those of 2024. They send no
 * requests: what a passkey gives is sent with the form.
 */

/** Bytes to base64url and back. Before the parts below. */
const passkeyBytes = `
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt())
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer || []))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')
const keys = (ids) => ids.map((id) => ({ type: 'public-key', id: bytes(id) }))
`

/** What the buttons of `passkeyRequest` do. While one asks, the browser offers nothing in a field. */
const usingPasskeys = `
for (const box of document.querySelectorAll('[data-passkey]')) {
  if (!window.PublicKeyCredential) break
  const { rpId, challenge, known, field, prefix, isConditional } = JSON.parse(box.dataset.passkey)
  const input = box.querySelector('input')
  const status = box.querySelector('[role=status]')
  const form = input.form
  const others = [...form.querySelectorAll('[name="' + field + '"]')]
  const disable = (on) => { for (const other of others) other.disabled = on }
  let asking
  const ask = async (mediation) => {
    if (asking) asking.abort()
    const own = asking = new AbortController()
    try {
      const publicKey = { rpId, challenge: bytes(challenge), allowCredentials: keys(known), userVerification: 'required' }
      const { rawId, response } = await navigator.credentials.get({ mediation, signal: own.signal, publicKey })
      const { clientDataJSON, authenticatorData, signature, userHandle } = response
      input.value = prefix + [rawId, clientDataJSON, authenticatorData, signature, userHandle].map(text).join('.')
      input.name = field
      disable(true)
      form.requestSubmit()
    } catch {
      if (own !== asking || mediation === 'conditional') return
      disable(false)
      status.textContent = status.dataset.failed
      offer()
    }
  }
  const offer = async () => {
    if (isConditional && await PublicKeyCredential.isConditionalMediationAvailable?.()) ask('conditional')
  }
  box.hidden = false
  box.querySelector('button').onclick = () => {
    disable(true)
    if (form.reportValidity()) ask('optional')
    else disable(false)
  }
  offer()
}
`

/** A page that was left open for so long that its challenge has expired is shown again, unless something was typed. */
const freshChallenge = `
const shownAt = Date.now()
addEventListener('focus', () => {
  const page = document.querySelector('[data-fresh]')
  const isTyped = [...document.querySelectorAll('input')].some((input) => input.type !== 'hidden' && input.value)
  if (page && Date.now() - shownAt > 54e4 && !isTyped) location.replace(page.dataset.fresh)
})
`

/**
 * The form that adds a passkey makes one before it is sent, unless its sender has to prove first who they are. Where the browser cannot, what
 * follows the form says so.
 */
const makingPasskeys = `
for (const form of document.querySelectorAll('[data-new-passkey]')) {
  if (!window.PublicKeyCredential) {
    form.nextElementSibling.hidden = false
    break
  }
  const { rp, user, challenge, known } = JSON.parse(form.dataset.newPasskey)
  const status = form.querySelector('[role=status]')
  const made = form.querySelector('[name=made]')
  let asking = false
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    if (made.value || form.querySelector('[name=proof]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (asking) return
    asking = true
    status.textContent = ''
    try {
      const { rawId, response } = await navigator.credentials.create({ publicKey: {
        rp,
        user: { ...user, id: bytes(user.id) },
        challenge: bytes(challenge),
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: keys(known),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      } })
      made.value = [rawId, response.clientDataJSON, response.getAuthenticatorData()].map(text).join('.')
      form.requestSubmit()
    } catch (error) {
      status.textContent = error.name === 'InvalidStateError' ? status.dataset.known : status.dataset.failed
    }
    asking = false
  })
}
`

/** The scripts of what asks for a passkey. */
export const passkeyScripts: readonly ElementScript[] = [
  { attribute: 'data-passkey', parts: [passkeyBytes, usingPasskeys] },
  { attribute: 'data-fresh', parts: [freshChallenge] },
  { attribute: 'data-new-passkey', parts: [passkeyBytes, makingPasskeys] },
]
