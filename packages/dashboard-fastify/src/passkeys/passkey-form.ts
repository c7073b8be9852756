import type { SentAssertion } from '@sotto/identity'

// A form has a passkey as one text: the parts in base64url, with dots between them.

/** What a form has of a passkey that was used. */
export function sentAssertion(text: string): SentAssertion {
  const [credentialId = '', clientData = '', authenticatorData = '', signature = '', userHandle = ''] =
    text.split('.')
  return { credentialId, clientData, authenticatorData, signature, userHandle }
}

const proofShape = /^passkey:[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]*$/

/** The passkey that was used as a proof; `undefined` when the proof is of another kind. */
export function provenAssertion(proof: string): SentAssertion | undefined {
  return proofShape.test(proof) ? sentAssertion(proof.slice('passkey:'.length)) : undefined
}
