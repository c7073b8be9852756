import { markup, type Html } from '@sotto/html'
import type { LocalizedDashboard } from '../shared/localized.ts'

/** What a browser is asked for: one of the passkeys of `known`, or of any account when there are none. */
export interface PasskeyRequest {
  readonly rpId: string
  readonly challenge: string
  /** The ids of known passkeys, in base64url. */
  readonly known: readonly string[]
}

interface RequestParts {
  /** The field of the form that gets the passkey. Others of this name are not sent then. */
  readonly field: string
  /** The text before the passkey in that field. */
  readonly prefix?: string
  /** Whether the browser also offers passkeys in a field of the page whose `autocomplete` says `webauthn`. */
  readonly isConditional?: boolean
}

/** A button that uses a passkey and sends the form around it. It is hidden without a script, and where there are no passkeys. */
export function passkeyRequest(
  { texts }: LocalizedDashboard,
  request: PasskeyRequest,
  { field, prefix = '', isConditional = false }: RequestParts,
): Html {
  const { use, failed } = texts.passkeys
  return markup`<div class="after" hidden data-passkey="${JSON.stringify({ ...request, field, prefix, isConditional })}">
      <input type="hidden">
      <button type="button" class="secondary">${use}</button>
      <p role="status" class="hint" data-failed="${failed}"></p>
    </div>`
}
